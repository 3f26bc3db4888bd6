-- Where in a distributed trace the request is that made the job, so that whoever works on it, wherever and whenever, goes on
-- with that trace. What nodes that are not upgraded yet call stays as it is: their jobs have none.
ALTER TABLE jobs ADD COLUMN trace text;

-- `outcome` is SubmitOutcome, or -1 when there is no such account. `ready` when the job can be claimed at once.
CREATE FUNCTION submit_job(
  p_now bigint, p_id uuid, p_account uuid, p_asset uuid, p_tileset uuid, p_operation text, p_options text,
  p_heavy boolean, p_credits bigint, p_max_attempts integer, p_key text, p_fingerprint bytea, p_max_in_flight bigint,
  p_max_credits bigint, p_max_storage bigint, p_request_id text, p_trace text,
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
                    queued_at, updated_at, max_attempts, request_id, trace)
  VALUES (p_id, p_account, p_asset, p_tileset, p_operation, p_options, p_heavy, p_credits, v_period, accepted_at, accepted_at,
          p_max_attempts, p_request_id, p_trace)
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
