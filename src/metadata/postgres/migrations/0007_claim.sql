-- Claims: leases that ran out, retries that fell due, then the account whose turn it is and its oldest job.

-- Jobs whose lease ran out go back into the queue, or end. Of several accounts only the first is waited for.
CREATE FUNCTION reap_expired(p_now bigint, p_limit integer, p_code text, p_message text) RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE
  v_lost record;
  v_job jobs;
  v_locked boolean := false;
BEGIN
  FOR v_lost IN
    SELECT sequence, account_id FROM queue_leases WHERE expires_at <= p_now ORDER BY expires_at LIMIT p_limit
  LOOP
    IF v_locked THEN
      PERFORM 1 FROM queue_accounts WHERE account_id = v_lost.account_id FOR UPDATE SKIP LOCKED;
      CONTINUE WHEN NOT FOUND;
    ELSE
      v_locked := lock_account(v_lost.account_id);
    END IF;
    PERFORM 1 FROM queue_leases WHERE sequence = v_lost.sequence AND expires_at <= p_now FOR UPDATE;
    CONTINUE WHEN NOT FOUND;
    SELECT * INTO v_job FROM jobs WHERE sequence = v_lost.sequence;
    IF v_job.attempt_count < v_job.max_attempts THEN
      PERFORM requeue(v_job, v_job.attempt_count, 0, p_now);
    ELSE
      PERFORM end_failed(v_job, p_code, p_message, true, p_now);
    END IF;
  END LOOP;
  RETURN v_locked;
END $$;

-- Retries that have fallen due can be claimed.
CREATE FUNCTION wake_delayed(p_now bigint, p_limit integer, p_locked boolean) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  v_due record;
  v_locked boolean := p_locked;
BEGIN
  FOR v_due IN
    SELECT d.sequence, d.account_id, j.heavy FROM queue_delayed d JOIN jobs j ON j.sequence = d.sequence
     WHERE d.available_at <= p_now ORDER BY d.available_at LIMIT p_limit
  LOOP
    IF v_locked THEN
      PERFORM 1 FROM queue_accounts WHERE account_id = v_due.account_id FOR UPDATE SKIP LOCKED;
      CONTINUE WHEN NOT FOUND;
    ELSE
      v_locked := lock_account(v_due.account_id);
    END IF;
    DELETE FROM queue_delayed WHERE sequence = v_due.sequence;
    CONTINUE WHEN NOT FOUND;
    PERFORM make_ready(v_due.account_id, v_due.heavy, v_due.sequence);
  END LOOP;
  RETURN v_locked;
END $$;

-- Leases and delays that were set by a clock that has been turned back since start anew from now.
CREATE FUNCTION follow_clock_back(p_now bigint, p_slack bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  UPDATE queue_leases SET expires_at = expires_at - since + p_now, since = p_now
   WHERE sequence IN (SELECT sequence FROM queue_leases WHERE since > p_now + p_slack FOR UPDATE SKIP LOCKED);
  UPDATE queue_delayed SET available_at = available_at - since + p_now, since = p_now
   WHERE sequence IN (SELECT sequence FROM queue_delayed WHERE since > p_now + p_slack FOR UPDATE SKIP LOCKED);
END $$;

-- The account whose turn it is, locked; null when nothing can be claimed. Accounts that others are busy with are
-- passed over; when there are no others and nothing is locked yet, the first of them is waited for.
CREATE FUNCTION next_account(p_light boolean, p_may_wait boolean) RETURNS queue_accounts LANGUAGE plpgsql AS $$
DECLARE
  v_account queue_accounts;
BEGIN
  FOR v_try IN 1..3 LOOP
    IF p_light THEN
      SELECT * INTO v_account FROM queue_accounts WHERE next_light IS NOT NULL
       ORDER BY running, next_light LIMIT 1 FOR UPDATE SKIP LOCKED;
    ELSE
      SELECT * INTO v_account FROM queue_accounts WHERE next_any IS NOT NULL
       ORDER BY running, next_any LIMIT 1 FOR UPDATE SKIP LOCKED;
    END IF;
    EXIT WHEN FOUND OR NOT p_may_wait;
    IF p_light THEN
      SELECT * INTO v_account FROM queue_accounts WHERE next_light IS NOT NULL ORDER BY running, next_light LIMIT 1;
    ELSE
      SELECT * INTO v_account FROM queue_accounts WHERE next_any IS NOT NULL ORDER BY running, next_any LIMIT 1;
    END IF;
    EXIT WHEN NOT FOUND;
    SELECT * INTO v_account FROM queue_accounts WHERE account_id = v_account.account_id FOR UPDATE;
    EXIT WHEN CASE WHEN p_light THEN v_account.next_light ELSE v_account.next_any END IS NOT NULL;
    v_account := NULL; -- emptied by whoever had it
    p_may_wait := false;
  END LOOP;
  RETURN v_account;
END $$;

CREATE FUNCTION claim_jobs(
  p_now bigint, p_worker text, p_light boolean, p_max integer, p_lease bigint, p_lost_code text, p_lost_message text)
RETURNS SETOF jobs LANGUAGE plpgsql AS $$
DECLARE
  v_now bigint := now_ms(p_now);
  v_locked boolean;
  v_account queue_accounts;
  v_sequence bigint;
  v_heavy boolean;
  v_job jobs;
BEGIN
  PERFORM follow_clock_back(v_now, 5000);
  v_locked := reap_expired(v_now, 16, p_lost_code, p_lost_message);
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
