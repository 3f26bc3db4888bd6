-- Ids are 16-byte blobs, times are milliseconds since 1970, digests are 32-byte blobs.

CREATE TABLE plans (
  code TEXT PRIMARY KEY,
  position INTEGER NOT NULL,
  display_name TEXT NOT NULL,
  description TEXT NOT NULL,
  status TEXT NOT NULL,
  is_public INTEGER NOT NULL CHECK (is_public IN (0, 1)),
  billing_amount_minor INTEGER NOT NULL,
  billing_interval TEXT NOT NULL,
  included_processing_credits INTEGER NOT NULL
) STRICT;

CREATE TABLE plan_limits (
  plan_code TEXT NOT NULL REFERENCES plans (code) ON DELETE CASCADE,
  name TEXT NOT NULL,
  value INTEGER NOT NULL,
  PRIMARY KEY (plan_code, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE accounts (
  id BLOB PRIMARY KEY CHECK (length(id) = 16),
  slug TEXT NOT NULL UNIQUE,
  display_name TEXT NOT NULL,
  plan_code TEXT NOT NULL REFERENCES plans (code),
  access_source TEXT NOT NULL,
  plan_activated_at INTEGER NOT NULL,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE api_keys (
  id BLOB PRIMARY KEY CHECK (length(id) = 16),
  account_id BLOB NOT NULL REFERENCES accounts (id),
  name TEXT NOT NULL,
  role_code TEXT NOT NULL,
  hash BLOB NOT NULL UNIQUE CHECK (length(hash) = 32),
  created_at INTEGER NOT NULL,
  revoked_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX api_keys_of_account ON api_keys (account_id);

CREATE TABLE entitlements (
  account_id BLOB NOT NULL REFERENCES accounts (id),
  feature_code TEXT NOT NULL,
  enabled INTEGER NOT NULL CHECK (enabled IN (0, 1)),
  status TEXT NOT NULL,
  source TEXT NOT NULL,
  provider TEXT NOT NULL,
  add_on_code TEXT NOT NULL,
  cancel_at_period_end INTEGER NOT NULL CHECK (cancel_at_period_end IN (0, 1)),
  PRIMARY KEY (account_id, feature_code)
) STRICT, WITHOUT ROWID;

-- Every charge and every return, for ever: one charge a job, and one return at most. Jobs go, their entries stay.
CREATE TABLE credit_ledger (
  sequence INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id BLOB NOT NULL REFERENCES accounts (id),
  job_id BLOB NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('charge', 'return')),
  credits INTEGER NOT NULL,
  period_starts_at INTEGER NOT NULL,
  at INTEGER NOT NULL,
  CHECK ((kind = 'charge') = (credits > 0) AND credits <> 0)
) STRICT;
CREATE UNIQUE INDEX credit_ledger_once ON credit_ledger (job_id, kind);
CREATE INDEX credit_ledger_of_account ON credit_ledger (account_id, sequence);
CREATE TRIGGER credit_ledger_is_not_changed BEFORE UPDATE ON credit_ledger
BEGIN SELECT raise(ABORT, 'the ledger is never changed'); END;
CREATE TRIGGER credit_ledger_is_not_deleted BEFORE DELETE ON credit_ledger
BEGIN SELECT raise(ABORT, 'the ledger is never deleted'); END;

-- The sum of the ledger per period, kept with it in the same transactions.
CREATE TABLE credit_periods (
  account_id BLOB NOT NULL REFERENCES accounts (id),
  starts_at INTEGER NOT NULL,
  used INTEGER NOT NULL CHECK (used >= 0),
  PRIMARY KEY (account_id, starts_at)
) STRICT, WITHOUT ROWID;

CREATE TABLE delivered_bytes (
  account_id BLOB NOT NULL REFERENCES accounts (id),
  starts_at INTEGER NOT NULL,
  bytes INTEGER NOT NULL CHECK (bytes >= 0),
  PRIMARY KEY (account_id, starts_at)
) STRICT, WITHOUT ROWID;

-- What caches in other processes must forget; `kind` is Change::Kind.
CREATE TABLE change_log (
  sequence INTEGER PRIMARY KEY AUTOINCREMENT,
  kind INTEGER NOT NULL,
  id BLOB NOT NULL CHECK (length(id) = 16),
  at INTEGER NOT NULL
) STRICT;
