-- Operators and their sessions. `password` is a hash with its parameters, `token_hash` the SHA-256 of what the cookie holds.
CREATE TABLE operators (
  id BLOB PRIMARY KEY CHECK (length(id) = 16),
  name TEXT NOT NULL UNIQUE,
  password TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  password_changed_at INTEGER NOT NULL,
  signed_in_at INTEGER
) STRICT, WITHOUT ROWID;

CREATE TABLE operator_sessions (
  id BLOB PRIMARY KEY CHECK (length(id) = 16),
  operator_id BLOB NOT NULL REFERENCES operators (id) ON DELETE CASCADE,
  token_hash BLOB NOT NULL UNIQUE CHECK (length(token_hash) = 32),
  created_at INTEGER NOT NULL,
  last_used_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  address TEXT NOT NULL,
  user_agent TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX operator_sessions_of_operator ON operator_sessions (operator_id, id);
CREATE INDEX operator_sessions_by_expiry ON operator_sessions (expires_at);

-- What each node says of itself, for people to see.
CREATE TABLE nodes (
  name TEXT PRIMARY KEY,
  role TEXT NOT NULL,
  version TEXT NOT NULL,
  started_at INTEGER NOT NULL,
  seen_at INTEGER NOT NULL,
  report TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- What accounts use by day, `day` being counted from 1970 (UTC). Charges of jobs that are gone have no operation.
CREATE TABLE usage_jobs (
  account_id BLOB NOT NULL REFERENCES accounts (id),
  day INTEGER NOT NULL,
  operation TEXT NOT NULL,
  submitted INTEGER NOT NULL DEFAULT 0,
  succeeded INTEGER NOT NULL DEFAULT 0,
  failed INTEGER NOT NULL DEFAULT 0,
  cancelled INTEGER NOT NULL DEFAULT 0,
  credits INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (account_id, day, operation)
) STRICT, WITHOUT ROWID;
CREATE INDEX usage_jobs_by_day ON usage_jobs (day);
CREATE TABLE usage_uploads (
  account_id BLOB NOT NULL REFERENCES accounts (id),
  day INTEGER NOT NULL,
  uploads INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  PRIMARY KEY (account_id, day)
) STRICT, WITHOUT ROWID;
CREATE INDEX usage_uploads_by_day ON usage_uploads (day);
CREATE TABLE usage_deliveries (
  account_id BLOB NOT NULL REFERENCES accounts (id),
  day INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  PRIMARY KEY (account_id, day)
) STRICT, WITHOUT ROWID;
CREATE INDEX usage_deliveries_by_day ON usage_deliveries (day);

-- What can still be told of the time before. Bytes delivered were never counted by day.
INSERT INTO usage_jobs (account_id, day, operation, submitted, succeeded, failed, cancelled, credits)
SELECT account_id, day, operation, sum(submitted), sum(succeeded), sum(failed), sum(cancelled), sum(credits) FROM (
  SELECT account_id, queued_at / 86400000 AS day, operation, 1 AS submitted, 0 AS succeeded, 0 AS failed, 0 AS cancelled,
         0 AS credits
    FROM jobs
  UNION ALL
  SELECT account_id, completed_at / 86400000, operation, 0, status = 'succeeded',
         status = 'failed' AND error_code <> 'cancelled', error_code IS 'cancelled', 0
    FROM jobs WHERE completed_at IS NOT NULL
  UNION ALL
  SELECT l.account_id, l.at / 86400000, coalesce(j.operation, ''), 0, 0, 0, 0, l.credits
    FROM credit_ledger l LEFT JOIN jobs j ON j.id = l.job_id)
 GROUP BY account_id, day, operation;
INSERT INTO usage_uploads (account_id, day, uploads, bytes)
SELECT account_id, created_at / 86400000, count(*), sum(byte_size) FROM assets GROUP BY 1, 2;

CREATE TRIGGER job_is_counted AFTER INSERT ON jobs BEGIN
  INSERT INTO usage_jobs (account_id, day, operation, submitted)
  VALUES (NEW.account_id, NEW.queued_at / 86400000, NEW.operation, 1)
  ON CONFLICT (account_id, day, operation) DO UPDATE SET submitted = submitted + 1;
END;
CREATE TRIGGER end_of_job_is_counted AFTER UPDATE OF status ON jobs
WHEN NEW.status IN ('succeeded', 'failed') AND NEW.status <> OLD.status
BEGIN
  INSERT INTO usage_jobs (account_id, day, operation, succeeded, failed, cancelled)
  VALUES (NEW.account_id, NEW.completed_at / 86400000, NEW.operation, NEW.status = 'succeeded',
          NEW.status = 'failed' AND NEW.error_code <> 'cancelled', NEW.error_code IS 'cancelled')
  ON CONFLICT (account_id, day, operation) DO UPDATE
     SET succeeded = succeeded + excluded.succeeded, failed = failed + excluded.failed,
         cancelled = cancelled + excluded.cancelled;
END;
CREATE TRIGGER charge_is_counted AFTER INSERT ON credit_ledger BEGIN
  INSERT INTO usage_jobs (account_id, day, operation, credits)
  VALUES (NEW.account_id, NEW.at / 86400000, coalesce((SELECT operation FROM jobs WHERE id = NEW.job_id), ''), NEW.credits)
  ON CONFLICT (account_id, day, operation) DO UPDATE SET credits = credits + excluded.credits;
END;
CREATE TRIGGER upload_is_counted AFTER INSERT ON assets BEGIN
  INSERT INTO usage_uploads (account_id, day, uploads, bytes)
  VALUES (NEW.account_id, NEW.created_at / 86400000, 1, NEW.byte_size)
  ON CONFLICT (account_id, day) DO UPDATE SET uploads = uploads + 1, bytes = bytes + excluded.bytes;
END;
