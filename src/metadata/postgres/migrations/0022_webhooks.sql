-- Webhooks: who wants to be told, what each is to be told, and how every attempt went. `events` is names with commas.
-- Whoever can read this table can sign as the service: endpoints' secrets are kept as they are, because they sign.
CREATE TABLE webhook_endpoints (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES accounts (id),
  url text NOT NULL,
  description text NOT NULL,
  events text NOT NULL,
  secret text NOT NULL,
  previous_secret text, -- signs, too, until then
  previous_until bigint,
  status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'disabled')),
  disabled_reason text CHECK (disabled_reason IN ('operator', 'gone', 'failing')),
  disabled_at bigint,
  created_at bigint NOT NULL,
  failures bigint NOT NULL DEFAULT 0, -- in a row
  failing_since bigint,
  paused_until bigint, -- nothing is sent before
  CHECK ((status = 'disabled') = (disabled_at IS NOT NULL) AND (status = 'disabled') = (disabled_reason IS NOT NULL)),
  CHECK ((failures = 0) = (failing_since IS NULL)),
  CHECK ((previous_secret IS NULL) = (previous_until IS NULL))
);
CREATE INDEX webhook_endpoints_of_account ON webhook_endpoints (account_id);

-- The outbox. The id is the message's own, the same over all attempts. `attempts` counts all, `failures` those since it
-- was made or last replayed. A claim moves `next_attempt_at` to the end of its lease; `claim` fences, as with jobs.
CREATE TABLE webhook_deliveries (
  id uuid PRIMARY KEY,
  endpoint_id uuid NOT NULL REFERENCES webhook_endpoints (id) ON DELETE CASCADE,
  account_id uuid NOT NULL,
  job_id uuid, -- null in a test
  event text NOT NULL,
  created_at bigint NOT NULL,
  state text NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'delivered', 'failed')),
  attempts bigint NOT NULL DEFAULT 0,
  failures bigint NOT NULL DEFAULT 0,
  next_attempt_at bigint,
  claim bigint NOT NULL DEFAULT 0,
  claimed_by text,
  claimed_until bigint,
  body text, -- from the first attempt on
  last_status bigint,
  last_error text,
  last_attempt_at bigint,
  ended_at bigint,
  CHECK ((state = 'pending') = (next_attempt_at IS NOT NULL) AND (state = 'pending') = (ended_at IS NULL)),
  CHECK ((claimed_by IS NULL) = (claimed_until IS NULL))
);
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (endpoint_id, next_attempt_at) WHERE state = 'pending';
CREATE INDEX webhook_deliveries_claimed ON webhook_deliveries (endpoint_id) WHERE claimed_until IS NOT NULL;
CREATE INDEX webhook_deliveries_ended ON webhook_deliveries (ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX webhook_deliveries_of_endpoint ON webhook_deliveries (endpoint_id, created_at);
CREATE INDEX webhook_deliveries_of_account ON webhook_deliveries (account_id, created_at);

-- The log. `response` is the beginning of what came back.
CREATE TABLE webhook_attempts (
  delivery_id uuid NOT NULL REFERENCES webhook_deliveries (id) ON DELETE CASCADE,
  attempt bigint NOT NULL,
  at bigint NOT NULL,
  duration_ms bigint NOT NULL,
  status bigint, -- null where there was no answer
  error text,    -- null where it was delivered
  response text NOT NULL,
  PRIMARY KEY (delivery_id, attempt)
);

-- In the transaction that ends a job, however it ends. An endpoint that is removed at this instant is passed over: its
-- lock is waited for, so that no end of a job fails for it.
CREATE FUNCTION tell_of_ended_job() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO webhook_deliveries (id, endpoint_id, account_id, job_id, event, created_at, next_attempt_at)
  SELECT gen_random_uuid(), e.id, NEW.account_id, NEW.id, 'job.' || NEW.status, NEW.completed_at, NEW.completed_at
    FROM webhook_endpoints e
   WHERE e.account_id = NEW.account_id AND e.status = 'active'
     AND 'job.' || NEW.status = ANY (string_to_array(e.events, ','))
     FOR KEY SHARE OF e;
  RETURN NULL;
END $$;
CREATE TRIGGER job_that_ended_is_told AFTER UPDATE OF status ON jobs FOR EACH ROW
  WHEN (NEW.status IN ('succeeded', 'failed') AND NEW.status <> OLD.status)
  EXECUTE FUNCTION tell_of_ended_job();

-- Deliveries whose time has come, oldest first within an endpoint and in turns between accounts: those with the fewest
-- on their way come first. An endpoint that has failed p_failing times in a row is tried with one at a time. Endpoints
-- that wait are found by steps in an index, however much waits for each. One node claims at a time, so that the bounds
-- hold over all nodes.
CREATE FUNCTION claim_webhooks(
  p_now bigint, p_by text, p_limit bigint, p_per_endpoint bigint, p_per_account bigint, p_failing bigint, p_lease bigint)
RETURNS TABLE (
  id uuid, claim bigint, endpoint_id uuid, account_id uuid, job_id uuid, event text, created_at bigint, attempts bigint,
  failures bigint, body text, url text, secret text, previous_secret text, endpoint_failures bigint, now bigint,
  request_id text)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  v_now bigint := now_ms(p_now);
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('tessera claim_webhooks'));
  RETURN QUERY
  WITH RECURSIVE waiting (endpoint_id) AS (
    (SELECT d.endpoint_id FROM webhook_deliveries d WHERE d.state = 'pending' ORDER BY d.endpoint_id LIMIT 1)
    UNION ALL
    SELECT (SELECT d.endpoint_id FROM webhook_deliveries d
             WHERE d.state = 'pending' AND d.endpoint_id > w.endpoint_id ORDER BY d.endpoint_id LIMIT 1)
      FROM waiting w WHERE w.endpoint_id IS NOT NULL),
  on_way AS (
    SELECT d.endpoint_id, d.account_id, count(*) AS many
      FROM webhook_deliveries d WHERE d.claimed_until IS NOT NULL AND d.claimed_until > v_now
     GROUP BY d.endpoint_id, d.account_id),
  open AS (
    SELECT e.id, e.account_id,
           greatest(0, CASE WHEN e.failures >= p_failing THEN 1 ELSE p_per_endpoint END - coalesce(o.many, 0)) AS room
      FROM waiting w JOIN webhook_endpoints e ON e.id = w.endpoint_id LEFT JOIN on_way o ON o.endpoint_id = e.id
     WHERE e.status = 'active' AND (e.paused_until IS NULL OR e.paused_until <= v_now)),
  due AS (
    SELECT d.id, d.next_attempt_at,
           row_number() OVER (PARTITION BY o.account_id ORDER BY d.position, d.next_attempt_at, d.id) +
             (SELECT coalesce(sum(a.many), 0) FROM on_way a WHERE a.account_id = o.account_id) AS turn
      FROM open o CROSS JOIN LATERAL (
             SELECT p.id, p.next_attempt_at, row_number() OVER (ORDER BY p.next_attempt_at) AS position
               FROM webhook_deliveries p
              WHERE p.endpoint_id = o.id AND p.state = 'pending' AND p.next_attempt_at <= v_now
              ORDER BY p.next_attempt_at LIMIT o.room) AS d),
  chosen AS (
    SELECT d.id FROM due d WHERE d.turn <= p_per_account ORDER BY d.turn, d.next_attempt_at, d.id LIMIT p_limit)
  UPDATE webhook_deliveries d
     SET claim = d.claim + 1, claimed_by = p_by, claimed_until = v_now + p_lease, next_attempt_at = v_now + p_lease
    FROM chosen c, webhook_endpoints e
   WHERE d.id = c.id AND e.id = d.endpoint_id
  RETURNING d.id, d.claim, d.endpoint_id, d.account_id, d.job_id, d.event, d.created_at, d.attempts, d.failures, d.body,
            e.url, e.secret, CASE WHEN e.previous_until > v_now THEN e.previous_secret END, e.failures, v_now,
            (SELECT j.request_id FROM jobs j WHERE j.id = d.job_id);
END $$;

-- What is on its way is left to end by itself.
CREATE FUNCTION disable_webhook_endpoint(p_now bigint, p_endpoint uuid, p_reason text) RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
  UPDATE webhook_endpoints
     SET status = 'disabled', disabled_reason = p_reason, disabled_at = p_now, paused_until = NULL
   WHERE id = p_endpoint AND status = 'active';
  IF NOT FOUND THEN RETURN false; END IF;
  UPDATE webhook_deliveries
     SET state = 'failed', next_attempt_at = NULL, claimed_by = NULL, claimed_until = NULL, ended_at = p_now,
         last_error = 'endpoint_disabled'
   WHERE endpoint_id = p_endpoint AND state = 'pending' AND (claimed_until IS NULL OR claimed_until <= p_now);
  RETURN true;
END $$;

-- How an attempt went. `disabled` says why the endpoint was switched off for it, if it was.
CREATE FUNCTION record_webhook_attempt(
  p_now bigint, p_id uuid, p_claim bigint, p_duration bigint, p_status bigint, p_error text, p_response text, p_body text,
  p_end text, p_retry_in bigint, p_pause bigint, p_failing bigint, p_gone boolean, p_disable_after bigint,
  OUT recorded boolean, OUT state text, OUT disabled text)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  v_now bigint := now_ms(p_now);
  v_delivery webhook_deliveries;
  v_endpoint webhook_endpoints;
BEGIN
  recorded := false;
  -- The endpoint first, as whoever disables or removes it.
  SELECT e.* INTO v_endpoint FROM webhook_endpoints e JOIN webhook_deliveries d ON d.endpoint_id = e.id
   WHERE d.id = p_id FOR NO KEY UPDATE OF e;
  SELECT * INTO v_delivery FROM webhook_deliveries WHERE id = p_id AND claim = p_claim AND claimed_by IS NOT NULL
     FOR UPDATE;
  IF v_delivery.id IS NULL THEN RETURN; END IF;
  state := CASE WHEN p_end = 'pending' AND v_endpoint.status = 'disabled' THEN 'failed' ELSE p_end END;
  INSERT INTO webhook_attempts (delivery_id, attempt, at, duration_ms, status, error, response)
  VALUES (p_id, v_delivery.attempts + 1, v_now, p_duration, p_status, p_error, p_response);
  UPDATE webhook_deliveries
     SET state = record_webhook_attempt.state, attempts = attempts + 1, failures = failures + (p_error IS NOT NULL)::int,
         next_attempt_at = CASE WHEN record_webhook_attempt.state = 'pending' THEN v_now + p_retry_in END,
         ended_at = CASE WHEN record_webhook_attempt.state <> 'pending' THEN v_now END,
         claimed_by = NULL, claimed_until = NULL, body = coalesce(body, p_body), last_status = p_status,
         last_error = p_error, last_attempt_at = v_now
   WHERE id = p_id;
  IF p_error IS NULL THEN
    UPDATE webhook_endpoints SET failures = 0, failing_since = NULL, paused_until = NULL
     WHERE id = v_endpoint.id AND failures > 0;
    -- It was away, and answers again: what waited for it goes out now.
    IF v_endpoint.failures >= p_failing THEN
      UPDATE webhook_deliveries SET next_attempt_at = v_now
       WHERE endpoint_id = v_endpoint.id AND state = 'pending' AND claimed_until IS NULL AND next_attempt_at > v_now;
    END IF;
  ELSE
    UPDATE webhook_endpoints
       SET failures = failures + 1, failing_since = coalesce(failing_since, v_now),
           paused_until = CASE WHEN status = 'active' AND failures + 1 >= p_failing THEN v_now + p_pause END
     WHERE id = v_endpoint.id;
    IF p_gone THEN
      disabled := 'gone';
    ELSIF v_endpoint.failures + 1 >= p_failing AND v_now - coalesce(v_endpoint.failing_since, v_now) >= p_disable_after THEN
      disabled := 'failing';
    END IF;
    IF disabled IS NOT NULL AND NOT disable_webhook_endpoint(v_now, v_endpoint.id, disabled) THEN
      disabled := NULL;
    END IF;
  END IF;
  recorded := true;
END $$;
