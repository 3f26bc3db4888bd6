-- Webhooks: who wants to be told, what each is to be told, and how every attempt went. `events` is names with commas.
-- Whoever can read this table can sign as the service: endpoints' secrets are kept as they are, because they sign.
CREATE TABLE webhook_endpoints (
  id BLOB PRIMARY KEY CHECK (length(id) = 16),
  account_id BLOB NOT NULL REFERENCES accounts (id),
  url TEXT NOT NULL,
  description TEXT NOT NULL,
  events TEXT NOT NULL,
  secret TEXT NOT NULL,
  previous_secret TEXT, -- signs, too, until then
  previous_until INTEGER,
  status TEXT NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'disabled')),
  disabled_reason TEXT CHECK (disabled_reason IN ('operator', 'gone', 'failing')),
  disabled_at INTEGER,
  created_at INTEGER NOT NULL,
  failures INTEGER NOT NULL DEFAULT 0, -- in a row
  failing_since INTEGER,
  paused_until INTEGER, -- nothing is sent before
  CHECK ((status = 'disabled') = (disabled_at IS NOT NULL) AND (status = 'disabled') = (disabled_reason IS NOT NULL)),
  CHECK ((failures = 0) = (failing_since IS NULL)),
  CHECK ((previous_secret IS NULL) = (previous_until IS NULL))
) STRICT, WITHOUT ROWID;
CREATE INDEX webhook_endpoints_of_account ON webhook_endpoints (account_id);

-- The outbox. The id is the message's own, the same over all attempts. `attempts` counts all, `failures` those since it
-- was made or last replayed. A claim moves `next_attempt_at` to the end of its lease; `claim` fences, as with jobs.
CREATE TABLE webhook_deliveries (
  id BLOB PRIMARY KEY CHECK (length(id) = 16),
  endpoint_id BLOB NOT NULL REFERENCES webhook_endpoints (id) ON DELETE CASCADE,
  account_id BLOB NOT NULL,
  job_id BLOB, -- null in a test
  event TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  state TEXT NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'delivered', 'failed')),
  attempts INTEGER NOT NULL DEFAULT 0,
  failures INTEGER NOT NULL DEFAULT 0,
  next_attempt_at INTEGER,
  claim INTEGER NOT NULL DEFAULT 0,
  claimed_by TEXT,
  claimed_until INTEGER,
  body TEXT, -- from the first attempt on
  last_status INTEGER,
  last_error TEXT,
  last_attempt_at INTEGER,
  ended_at INTEGER,
  CHECK ((state = 'pending') = (next_attempt_at IS NOT NULL) AND (state = 'pending') = (ended_at IS NULL)),
  CHECK ((claimed_by IS NULL) = (claimed_until IS NULL))
) STRICT, WITHOUT ROWID;
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (endpoint_id, next_attempt_at) WHERE state = 'pending';
CREATE INDEX webhook_deliveries_claimed ON webhook_deliveries (endpoint_id) WHERE claimed_until IS NOT NULL;
CREATE INDEX webhook_deliveries_ended ON webhook_deliveries (ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX webhook_deliveries_of_endpoint ON webhook_deliveries (endpoint_id, created_at);
CREATE INDEX webhook_deliveries_of_account ON webhook_deliveries (account_id, created_at);

-- The log. `response` is the beginning of what came back.
CREATE TABLE webhook_attempts (
  delivery_id BLOB NOT NULL REFERENCES webhook_deliveries (id) ON DELETE CASCADE,
  attempt INTEGER NOT NULL,
  at INTEGER NOT NULL,
  duration_ms INTEGER NOT NULL,
  status INTEGER, -- null where there was no answer
  error TEXT,     -- null where it was delivered
  response TEXT NOT NULL,
  PRIMARY KEY (delivery_id, attempt)
) STRICT, WITHOUT ROWID;

-- In the transaction that ends a job, however it ends. An id is a random UUID: version 4, variant 8 to b.
CREATE TRIGGER job_that_ended_is_told AFTER UPDATE OF status ON jobs
WHEN NEW.status IN ('succeeded', 'failed') AND NEW.status <> OLD.status
BEGIN
  INSERT INTO webhook_deliveries (id, endpoint_id, account_id, job_id, event, created_at, next_attempt_at)
  SELECT CAST(randomblob(6) || substr(x'404142434445464748494a4b4c4d4e4f', 1 + (random() & 15), 1) || randomblob(1) ||
              substr(x'808a9096a0a3aab5b9bf', 1 + abs(random() % 10), 1) || randomblob(7) AS BLOB),
         e.id, NEW.account_id, NEW.id, 'job.' || NEW.status, NEW.completed_at, NEW.completed_at
    FROM webhook_endpoints e
   WHERE e.account_id = NEW.account_id AND e.status = 'active'
     AND instr(',' || e.events || ',', ',job.' || NEW.status || ',') > 0;
END;
