-- Administrative acts, for ever. No secrets and no names of people: an account that is erased leaves its id here.
CREATE TABLE audit_log (
  sequence INTEGER PRIMARY KEY AUTOINCREMENT,
  at INTEGER NOT NULL,
  actor TEXT NOT NULL,
  action TEXT NOT NULL,
  account_id BLOB,
  subject TEXT NOT NULL,
  details TEXT NOT NULL
) STRICT;
CREATE INDEX audit_log_by_time ON audit_log (at);
CREATE TRIGGER audit_log_is_not_changed BEFORE UPDATE ON audit_log
BEGIN SELECT raise(ABORT, 'the audit trail is never changed'); END;
CREATE TRIGGER audit_log_is_not_deleted BEFORE DELETE ON audit_log
BEGIN SELECT raise(ABORT, 'the audit trail is never deleted'); END;
