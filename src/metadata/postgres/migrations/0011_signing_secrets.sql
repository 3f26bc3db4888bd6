-- The secrets that sign addresses, one list for all nodes. Whoever can read this table can sign: see docs/decisions/accounts_and_limits.md.
-- Keyed by a number, so that no message of the database ever quotes a secret.

CREATE TABLE signing_secrets (
  sequence bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  secret text NOT NULL CHECK (length(secret) >= 32),
  created_at bigint NOT NULL
);

-- Adds a secret and keeps the newest p_keep; where p_keep is null, only when there is none yet. One at a time.
CREATE FUNCTION add_signing_secret(p_now bigint, p_secret text, p_keep bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_newest bigint;
BEGIN
  LOCK TABLE signing_secrets IN EXCLUSIVE MODE; -- reading goes on
  SELECT max(created_at) INTO v_newest FROM signing_secrets;
  IF p_keep IS NULL AND v_newest IS NOT NULL THEN RETURN; END IF;
  -- A clock that was set back must not put the new secret behind the old ones.
  INSERT INTO signing_secrets (secret, created_at) VALUES (p_secret, greatest(now_ms(p_now), v_newest + 1));
  DELETE FROM signing_secrets WHERE sequence IN (
    SELECT sequence FROM signing_secrets ORDER BY created_at DESC, sequence DESC OFFSET coalesce(p_keep, 1));
END $$;
