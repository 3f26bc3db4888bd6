-- The X-Request-ID of the request that made the job: whoever works on it, wherever and whenever, names it in the log. What
-- nodes that are not upgraded yet call stays, and does the same.
ALTER TABLE jobs ADD COLUMN request_id text NOT NULL DEFAULT '';

-- `outcome` is SubmitOutcome, or -1 when there is no such account. `ready` when the job can be claimed at once.
CREATE FUNCTION submit_job(
  p_now bigint, p_id uuid, p_account uuid, p_asset uuid, p_tileset uuid, p_operation text, p_options text,
  p_heavy boolean, p_credits bigint, p_max_attempts integer, p_key text, p_fingerprint bytea, p_max_in_flight bigint,
  p_max_credits bigint, p_max_storage bigint, p_request_id text,
  OUT outcome integer, OUT job uuid, OUT accepted_at bigint, OUT ready boolean)
LANGUAGE plpgsql AS $$
DECLARE
  v_key idempotency_keys;
  v_period bigint;
  v_sequence bigint;
BEGIN
  accepted_at := now_ms(p_now);
  job := p_id;
  ready := false;
  IF NOT lock_account(p_account) THEN outcome := -1; RETURN; END IF;

  IF p_key IS NOT NULL THEN
    SELECT * INTO v_key FROM idempotency_keys WHERE account_id = p_account AND key = p_key;
    IF FOUND THEN
      IF EXISTS (SELECT 1 FROM jobs WHERE id = v_key.job_id) THEN
        job := v_key.job_id;
        outcome := CASE WHEN v_key.fingerprint = p_fingerprint THEN 1 ELSE 2 END;
        RETURN;
      END IF;
      -- The job was removed long after it ended: the key is free again.
      DELETE FROM idempotency_keys WHERE account_id = p_account AND key = p_key;
    END IF;
  END IF;

  IF p_max_in_flight IS NOT NULL
     AND (SELECT in_flight FROM queue_accounts WHERE account_id = p_account) >= p_max_in_flight THEN
    outcome := 3;
    RETURN;
  END IF;
  IF p_max_storage IS NOT NULL
     AND (SELECT bytes FROM account_storage WHERE account_id = p_account) >= p_max_storage THEN
    outcome := 5;
    RETURN;
  END IF;
  SELECT period_start(plan_activated_at, accepted_at) INTO v_period FROM accounts WHERE id = p_account;
  IF p_max_credits IS NOT NULL
     AND p_credits > p_max_credits - coalesce((SELECT used FROM credit_periods
                                                WHERE account_id = p_account AND starts_at = v_period), 0) THEN
    outcome := 4;
    RETURN;
  END IF;

  ready := p_tileset IS NULL OR NOT EXISTS (
    SELECT 1 FROM jobs WHERE account_id = p_account AND tileset_id = p_tileset AND status IN ('queued', 'running'));
  INSERT INTO jobs (id, account_id, asset_id, tileset_id, operation, options, heavy, credits, period_starts_at,
                    queued_at, updated_at, max_attempts, request_id)
  VALUES (p_id, p_account, p_asset, p_tileset, p_operation, p_options, p_heavy, p_credits, v_period, accepted_at, accepted_at,
          p_max_attempts, p_request_id)
  RETURNING sequence INTO v_sequence;
  UPDATE queue_accounts SET in_flight = in_flight + 1 WHERE account_id = p_account;
  IF ready THEN PERFORM make_ready(p_account, p_heavy, v_sequence); END IF;
  IF p_credits > 0 THEN
    INSERT INTO credit_ledger (account_id, job_id, kind, credits, period_starts_at, at)
    VALUES (p_account, p_id, 'charge', p_credits, v_period, accepted_at);
    INSERT INTO credit_periods AS p (account_id, starts_at, used) VALUES (p_account, v_period, p_credits)
    ON CONFLICT (account_id, starts_at) DO UPDATE SET used = p.used + excluded.used;
  END IF;
  IF p_key IS NOT NULL THEN
    INSERT INTO idempotency_keys (account_id, key, fingerprint, job_id, created_at)
    VALUES (p_account, p_key, p_fingerprint, p_id, accepted_at);
  END IF;
  outcome := 0;
END $$;

CREATE OR REPLACE FUNCTION submit_job(
  p_now bigint, p_id uuid, p_account uuid, p_asset uuid, p_tileset uuid, p_operation text, p_options text,
  p_heavy boolean, p_credits bigint, p_max_attempts integer, p_key text, p_fingerprint bytea, p_max_in_flight bigint,
  p_max_credits bigint, p_max_storage bigint, OUT outcome integer, OUT job uuid, OUT accepted_at bigint, OUT ready boolean)
LANGUAGE plpgsql AS $$
BEGIN
  SELECT s.outcome, s.job, s.accepted_at, s.ready INTO outcome, job, accepted_at, ready
    FROM submit_job(p_now, p_id, p_account, p_asset, p_tileset, p_operation, p_options, p_heavy, p_credits, p_max_attempts,
                    p_key, p_fingerprint, p_max_in_flight, p_max_credits, p_max_storage, '') AS s;
END $$;

-- Jobs whose lease ran out go back into the queue, or end; `lost` tells which, as they are now. Of several accounts only the
-- first is waited for.
CREATE FUNCTION reap_lost(p_now bigint, p_limit integer, p_code text, p_message text, OUT locked boolean, OUT lost jobs[])
LANGUAGE plpgsql AS $$
DECLARE
  v_lost record;
  v_job jobs;
BEGIN
  locked := false;
  lost := '{}';
  FOR v_lost IN
    SELECT sequence, account_id FROM queue_leases WHERE expires_at <= p_now ORDER BY expires_at LIMIT p_limit
  LOOP
    IF locked THEN
      PERFORM 1 FROM queue_accounts WHERE account_id = v_lost.account_id FOR UPDATE SKIP LOCKED;
      CONTINUE WHEN NOT FOUND;
    ELSE
      locked := lock_account(v_lost.account_id);
    END IF;
    PERFORM 1 FROM queue_leases WHERE sequence = v_lost.sequence AND expires_at <= p_now FOR UPDATE;
    CONTINUE WHEN NOT FOUND;
    SELECT * INTO v_job FROM jobs WHERE sequence = v_lost.sequence;
    IF v_job.attempt_count < v_job.max_attempts THEN
      PERFORM requeue(v_job, v_job.attempt_count, 0, p_now);
    ELSE
      PERFORM end_failed(v_job, p_code, p_message, true, p_now);
    END IF;
    SELECT * INTO v_job FROM jobs WHERE sequence = v_lost.sequence;
    lost := array_append(lost, v_job);
  END LOOP;
END $$;

CREATE OR REPLACE FUNCTION reap_expired(p_now bigint, p_limit integer, p_code text, p_message text) RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
  RETURN (SELECT locked FROM reap_lost(p_now, p_limit, p_code, p_message));
END $$;

-- As claim_jobs, and first of all the jobs whose lease was lost, queued again or failed: whoever claims tells of them.
CREATE FUNCTION take_jobs(
  p_now bigint, p_worker text, p_light boolean, p_max integer, p_lease bigint, p_lost_code text, p_lost_message text)
RETURNS SETOF jobs LANGUAGE plpgsql AS $$
DECLARE
  v_now bigint := now_ms(p_now);
  v_locked boolean;
  v_account queue_accounts;
  v_sequence bigint;
  v_heavy boolean;
  v_job jobs;
  v_lost jobs[];
BEGIN
  PERFORM follow_clock_back(v_now, 5000);
  SELECT locked, lost INTO v_locked, v_lost FROM reap_lost(v_now, 16, p_lost_code, p_lost_message);
  FOREACH v_job IN ARRAY v_lost LOOP RETURN NEXT v_job; END LOOP;
  v_locked := wake_delayed(v_now, 64, v_locked);
  FOR v_count IN 1..p_max LOOP
    v_account := next_account(p_light, NOT v_locked);
    EXIT WHEN v_account.account_id IS NULL;
    v_locked := true;
    v_sequence := CASE WHEN p_light THEN v_account.next_light ELSE v_account.next_any END;
    v_heavy := NOT p_light AND v_sequence IS NOT DISTINCT FROM v_account.next_heavy;
    DELETE FROM queue_ready WHERE account_id = v_account.account_id AND heavy = v_heavy AND sequence = v_sequence;
    -- Looking only behind what was taken passes the remains of deleted rows by.
    IF v_heavy THEN
      UPDATE queue_accounts SET running = running + 1, next_heavy = (
        SELECT min(sequence) FROM queue_ready
         WHERE account_id = v_account.account_id AND heavy AND sequence > v_sequence)
       WHERE account_id = v_account.account_id;
    ELSE
      UPDATE queue_accounts SET running = running + 1, next_light = (
        SELECT min(sequence) FROM queue_ready
         WHERE account_id = v_account.account_id AND NOT heavy AND sequence > v_sequence)
       WHERE account_id = v_account.account_id;
    END IF;
    UPDATE jobs SET status = 'running', attempt_count = attempt_count + 1, claim = claim + 1, progress = 0,
                    started_at = coalesce(started_at, v_now), updated_at = v_now
     WHERE sequence = v_sequence
    RETURNING * INTO STRICT v_job;
    INSERT INTO queue_leases (sequence, account_id, worker, expires_at, since)
    VALUES (v_sequence, v_account.account_id, p_worker, v_now + p_lease, v_now);
    RETURN NEXT v_job;
  END LOOP;
END $$;
