-- Administrative acts, for ever. No secrets and no names of people: an account that is erased leaves its id here.
CREATE TABLE audit_log (
  sequence bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at bigint NOT NULL,
  actor text NOT NULL,
  action text NOT NULL,
  account_id uuid,
  subject text NOT NULL,
  details text NOT NULL
);
CREATE INDEX audit_log_by_time ON audit_log (at);
CREATE FUNCTION refuse_change_of_audit() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the audit trail is never changed';
END $$;
CREATE TRIGGER audit_log_is_never_changed BEFORE UPDATE OR DELETE ON audit_log
  FOR EACH ROW EXECUTE FUNCTION refuse_change_of_audit();
