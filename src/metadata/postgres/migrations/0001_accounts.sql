-- Times are milliseconds since 1970, by the database's clock: nodes' clocks may differ.

CREATE TABLE plans (
  code text PRIMARY KEY,
  position integer NOT NULL,
  display_name text NOT NULL,
  description text NOT NULL,
  status text NOT NULL,
  is_public boolean NOT NULL,
  billing_amount_minor bigint NOT NULL,
  billing_interval text NOT NULL,
  included_processing_credits bigint NOT NULL
);

CREATE TABLE plan_limits (
  plan_code text NOT NULL REFERENCES plans (code) ON DELETE CASCADE,
  name text NOT NULL,
  value bigint NOT NULL,
  PRIMARY KEY (plan_code, name)
);

CREATE TABLE accounts (
  id uuid PRIMARY KEY,
  slug text NOT NULL UNIQUE,
  display_name text NOT NULL,
  plan_code text NOT NULL REFERENCES plans (code),
  access_source text NOT NULL,
  plan_activated_at bigint NOT NULL,
  created_at bigint NOT NULL
);

CREATE TABLE api_keys (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES accounts (id),
  name text NOT NULL,
  role_code text NOT NULL,
  hash bytea NOT NULL UNIQUE CHECK (length(hash) = 32),
  created_at bigint NOT NULL,
  revoked_at bigint
);
CREATE INDEX api_keys_of_account ON api_keys (account_id);

CREATE TABLE entitlements (
  account_id uuid NOT NULL REFERENCES accounts (id),
  feature_code text NOT NULL,
  enabled boolean NOT NULL,
  status text NOT NULL,
  source text NOT NULL,
  provider text NOT NULL,
  add_on_code text NOT NULL,
  cancel_at_period_end boolean NOT NULL,
  PRIMARY KEY (account_id, feature_code)
);

-- Every charge and every return, for ever: one charge a job, and one return at most. Jobs go, their entries stay.
CREATE TABLE credit_ledger (
  sequence bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES accounts (id),
  job_id uuid NOT NULL,
  kind text NOT NULL CHECK (kind IN ('charge', 'return')),
  credits bigint NOT NULL,
  period_starts_at bigint NOT NULL,
  at bigint NOT NULL,
  CHECK ((kind = 'charge') = (credits > 0) AND credits <> 0)
);
CREATE UNIQUE INDEX credit_ledger_once ON credit_ledger (job_id, kind);
CREATE INDEX credit_ledger_of_account ON credit_ledger (account_id, sequence);
CREATE FUNCTION refuse_change_of_ledger() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the ledger is never changed';
END $$;
CREATE TRIGGER credit_ledger_is_never_changed BEFORE UPDATE OR DELETE ON credit_ledger
  FOR EACH ROW EXECUTE FUNCTION refuse_change_of_ledger();

-- The sum of the ledger per period, kept with it in the same transactions.
CREATE TABLE credit_periods (
  account_id uuid NOT NULL REFERENCES accounts (id),
  starts_at bigint NOT NULL,
  used bigint NOT NULL CHECK (used >= 0),
  PRIMARY KEY (account_id, starts_at)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);

-- One row per node, so that nodes never wait for each other to count.
CREATE TABLE delivered_bytes (
  account_id uuid NOT NULL REFERENCES accounts (id),
  starts_at bigint NOT NULL,
  node uuid NOT NULL,
  bytes bigint NOT NULL CHECK (bytes >= 0),
  PRIMARY KEY (account_id, starts_at, node)
);

-- A crash of the database may empty it: limits then start anew.
CREATE UNLOGGED TABLE rate_counters (
  key text PRIMARY KEY,
  count bigint NOT NULL,
  ends_at bigint NOT NULL
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);
CREATE INDEX rate_counters_by_end ON rate_counters (ends_at);
