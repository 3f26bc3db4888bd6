-- The steps that the queue's functions are made of. Whoever takes one has locked the account's row.

-- False when there is no such account.
CREATE FUNCTION lock_account(p_account uuid) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM queue_accounts WHERE account_id = p_account FOR UPDATE;
  IF FOUND THEN RETURN true; END IF;
  INSERT INTO queue_accounts (account_id) SELECT id FROM accounts WHERE id = p_account ON CONFLICT DO NOTHING;
  PERFORM 1 FROM queue_accounts WHERE account_id = p_account FOR UPDATE;
  RETURN FOUND;
END $$;

CREATE FUNCTION make_ready(p_account uuid, p_heavy boolean, p_sequence bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO queue_ready (account_id, heavy, sequence) VALUES (p_account, p_heavy, p_sequence);
  IF p_heavy THEN
    UPDATE queue_accounts SET next_heavy = p_sequence
     WHERE account_id = p_account AND (next_heavy IS NULL OR next_heavy > p_sequence);
  ELSE
    UPDATE queue_accounts SET next_light = p_sequence
     WHERE account_id = p_account AND (next_light IS NULL OR next_light > p_sequence);
  END IF;
END $$;

-- running → queued; at once when p_delay is not positive.
CREATE FUNCTION requeue(p_job jobs, p_attempts integer, p_delay bigint, p_now bigint) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  UPDATE jobs SET status = 'queued', attempt_count = p_attempts, progress = 0, updated_at = p_now
   WHERE sequence = p_job.sequence;
  DELETE FROM queue_leases WHERE sequence = p_job.sequence;
  UPDATE queue_accounts SET running = running - 1 WHERE account_id = p_job.account_id;
  IF p_delay > 0 THEN
    INSERT INTO queue_delayed (sequence, account_id, available_at, since)
    VALUES (p_job.sequence, p_job.account_id, p_now + p_delay, p_now);
  ELSE
    PERFORM make_ready(p_job.account_id, p_job.heavy, p_job.sequence);
  END IF;
END $$;

-- After the status was set: the lease, the counters, and the next job on the tileset (true when there is one).
CREATE FUNCTION leave_queue(p_job jobs) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  v_sequence bigint;
  v_heavy boolean;
BEGIN
  DELETE FROM queue_leases WHERE sequence = p_job.sequence;
  UPDATE queue_accounts SET running = running - 1, in_flight = in_flight - 1 WHERE account_id = p_job.account_id;
  IF p_job.tileset_id IS NULL THEN RETURN false; END IF;
  SELECT sequence, heavy INTO v_sequence, v_heavy FROM jobs
   WHERE account_id = p_job.account_id AND tileset_id = p_job.tileset_id AND status IN ('queued', 'running')
   ORDER BY sequence LIMIT 1;
  IF NOT FOUND THEN RETURN false; END IF;
  PERFORM make_ready(p_job.account_id, v_heavy, v_sequence);
  RETURN true;
END $$;

CREATE FUNCTION give_back(p_job jobs, p_now bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF p_job.credits = 0 THEN RETURN; END IF;
  INSERT INTO credit_ledger (account_id, job_id, kind, credits, period_starts_at, at)
  VALUES (p_job.account_id, p_job.id, 'return', -p_job.credits, p_job.period_starts_at, p_now);
  UPDATE credit_periods SET used = used - p_job.credits
   WHERE account_id = p_job.account_id AND starts_at = p_job.period_starts_at;
END $$;

CREATE FUNCTION end_failed(p_job jobs, p_code text, p_message text, p_give_back boolean, p_now bigint) RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
  UPDATE jobs SET status = 'failed', error_code = p_code, error_message = p_message, completed_at = p_now,
                  updated_at = p_now
   WHERE sequence = p_job.sequence;
  IF p_give_back THEN PERFORM give_back(p_job, p_now); END IF;
  RETURN leave_queue(p_job);
END $$;

-- The job that the lease is for, its account locked; null when the lease is lost. A renewal locks the lease, then the
-- job, and not the account: the same order here.
CREATE FUNCTION hold_job(p_job uuid, p_claim bigint, p_worker text) RETURNS jobs LANGUAGE plpgsql AS $$
DECLARE
  v_job jobs;
BEGIN
  PERFORM lock_account((SELECT account_id FROM jobs WHERE id = p_job));
  SELECT * INTO v_job FROM jobs WHERE id = p_job AND claim = p_claim;
  PERFORM 1 FROM queue_leases WHERE sequence = v_job.sequence AND worker = p_worker FOR UPDATE;
  IF NOT FOUND THEN RETURN NULL; END IF;
  RETURN v_job;
END $$;
