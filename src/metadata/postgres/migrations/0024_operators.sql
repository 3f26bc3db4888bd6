-- Operators and their sessions. `password` is a hash with its parameters, `token_hash` the SHA-256 of what the cookie holds.
CREATE TABLE operators (
  id uuid PRIMARY KEY,
  name text NOT NULL UNIQUE,
  password text NOT NULL,
  created_at bigint NOT NULL,
  password_changed_at bigint NOT NULL,
  signed_in_at bigint
);

CREATE TABLE operator_sessions (
  id uuid PRIMARY KEY,
  operator_id uuid NOT NULL REFERENCES operators (id) ON DELETE CASCADE,
  token_hash bytea NOT NULL UNIQUE CHECK (length(token_hash) = 32),
  created_at bigint NOT NULL,
  last_used_at bigint NOT NULL,
  expires_at bigint NOT NULL,
  address text NOT NULL,
  user_agent text NOT NULL
);
CREATE INDEX operator_sessions_of_operator ON operator_sessions (operator_id, id);
CREATE INDEX operator_sessions_by_expiry ON operator_sessions (expires_at);

-- What each node says of itself, for people to see.
CREATE TABLE nodes (
  name text PRIMARY KEY,
  role text NOT NULL,
  version text NOT NULL,
  started_at bigint NOT NULL,
  seen_at bigint NOT NULL,
  report text NOT NULL
) WITH (fillfactor = 50);

-- What accounts use by day, `day` being counted from 1970 (UTC). Charges of jobs that are gone have no operation. Each
-- table changes under a lock that its writers hold already (the account's row in queue_accounts, in account_storage), or
-- has a row for each node: nobody waits in a ring.
CREATE TABLE usage_jobs (
  account_id uuid NOT NULL REFERENCES accounts (id),
  day bigint NOT NULL,
  operation text NOT NULL,
  submitted bigint NOT NULL DEFAULT 0,
  succeeded bigint NOT NULL DEFAULT 0,
  failed bigint NOT NULL DEFAULT 0,
  cancelled bigint NOT NULL DEFAULT 0,
  credits bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (account_id, day, operation)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);
CREATE INDEX usage_jobs_by_day ON usage_jobs (day);
CREATE TABLE usage_uploads (
  account_id uuid NOT NULL REFERENCES accounts (id),
  day bigint NOT NULL,
  uploads bigint NOT NULL,
  bytes bigint NOT NULL,
  PRIMARY KEY (account_id, day)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);
CREATE INDEX usage_uploads_by_day ON usage_uploads (day);
CREATE TABLE usage_deliveries (
  account_id uuid NOT NULL REFERENCES accounts (id),
  day bigint NOT NULL,
  node uuid NOT NULL,
  bytes bigint NOT NULL,
  PRIMARY KEY (account_id, day, node)
);
CREATE INDEX usage_deliveries_by_day ON usage_deliveries (day);

-- What can still be told of the time before. Bytes delivered were never counted by day.
INSERT INTO usage_jobs (account_id, day, operation, submitted, succeeded, failed, cancelled, credits)
SELECT account_id, day, operation, sum(submitted), sum(succeeded), sum(failed), sum(cancelled), sum(credits) FROM (
  SELECT account_id, queued_at / 86400000 AS day, operation, 1 AS submitted, 0 AS succeeded, 0 AS failed, 0 AS cancelled,
         0::bigint AS credits
    FROM jobs
  UNION ALL
  SELECT account_id, completed_at / 86400000, operation, 0, (status = 'succeeded')::integer,
         (status = 'failed' AND error_code <> 'cancelled')::integer,
         (error_code IS NOT DISTINCT FROM 'cancelled')::integer, 0
    FROM jobs WHERE completed_at IS NOT NULL
  UNION ALL
  SELECT l.account_id, l.at / 86400000, coalesce(j.operation, ''), 0, 0, 0, 0, l.credits
    FROM credit_ledger l LEFT JOIN jobs j ON j.id = l.job_id) AS steps
 GROUP BY account_id, day, operation;
INSERT INTO usage_uploads (account_id, day, uploads, bytes)
SELECT account_id, created_at / 86400000, count(*), sum(byte_size) FROM assets GROUP BY 1, 2;

CREATE FUNCTION count_job() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO usage_jobs AS u (account_id, day, operation, submitted)
  VALUES (NEW.account_id, NEW.queued_at / 86400000, NEW.operation, 1)
  ON CONFLICT (account_id, day, operation) DO UPDATE SET submitted = u.submitted + 1;
  RETURN NULL;
END $$;
CREATE TRIGGER job_is_counted AFTER INSERT ON jobs FOR EACH ROW EXECUTE FUNCTION count_job();
CREATE FUNCTION count_end_of_job() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO usage_jobs AS u (account_id, day, operation, succeeded, failed, cancelled)
  VALUES (NEW.account_id, NEW.completed_at / 86400000, NEW.operation, (NEW.status = 'succeeded')::integer,
          (NEW.status = 'failed' AND NEW.error_code <> 'cancelled')::integer,
          (NEW.error_code IS NOT DISTINCT FROM 'cancelled')::integer)
  ON CONFLICT (account_id, day, operation) DO UPDATE
     SET succeeded = u.succeeded + excluded.succeeded, failed = u.failed + excluded.failed,
         cancelled = u.cancelled + excluded.cancelled;
  RETURN NULL;
END $$;
CREATE TRIGGER end_of_job_is_counted AFTER UPDATE OF status ON jobs FOR EACH ROW
  WHEN (NEW.status IN ('succeeded', 'failed') AND NEW.status <> OLD.status) EXECUTE FUNCTION count_end_of_job();
CREATE FUNCTION count_charge() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO usage_jobs AS u (account_id, day, operation, credits)
  VALUES (NEW.account_id, NEW.at / 86400000, coalesce((SELECT operation FROM jobs WHERE id = NEW.job_id), ''), NEW.credits)
  ON CONFLICT (account_id, day, operation) DO UPDATE SET credits = u.credits + excluded.credits;
  RETURN NULL;
END $$;
CREATE TRIGGER charge_is_counted AFTER INSERT ON credit_ledger FOR EACH ROW EXECUTE FUNCTION count_charge();
CREATE FUNCTION count_upload() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO usage_uploads AS u (account_id, day, uploads, bytes)
  VALUES (NEW.account_id, NEW.created_at / 86400000, 1, NEW.byte_size)
  ON CONFLICT (account_id, day) DO UPDATE SET uploads = u.uploads + 1, bytes = u.bytes + excluded.bytes;
  RETURN NULL;
END $$;
CREATE TRIGGER upload_is_counted AFTER INSERT ON assets FOR EACH ROW EXECUTE FUNCTION count_upload();
