-- What the holder of a lease may do but complete the job.

-- False when the lease is lost.
CREATE FUNCTION renew_lease(p_now bigint, p_job uuid, p_claim bigint, p_worker text, p_lease bigint,
                            p_progress double precision)
RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  v_now bigint := now_ms(p_now);
  v_sequence bigint;
BEGIN
  UPDATE queue_leases l SET expires_at = v_now + p_lease, since = v_now FROM jobs j
   WHERE j.id = p_job AND j.claim = p_claim AND l.sequence = j.sequence AND l.worker = p_worker
  RETURNING l.sequence INTO v_sequence;
  IF NOT FOUND THEN RETURN false; END IF;
  UPDATE jobs SET progress = p_progress, updated_at = v_now WHERE sequence = v_sequence AND progress < p_progress;
  RETURN true;
END $$;

-- 0 retried, 1 failed, 2 lease lost: FailAnswer.
CREATE FUNCTION fail_job(p_now bigint, p_job uuid, p_claim bigint, p_worker text, p_code text, p_message text,
                         p_give_back boolean, p_retry_after bigint, OUT answer integer, OUT ready boolean)
LANGUAGE plpgsql AS $$
DECLARE
  v_now bigint := now_ms(p_now);
  v_job jobs := hold_job(p_job, p_claim, p_worker);
BEGIN
  ready := false;
  IF v_job.id IS NULL THEN
    answer := 2;
  ELSIF p_retry_after IS NOT NULL AND v_job.attempt_count < v_job.max_attempts THEN
    PERFORM requeue(v_job, v_job.attempt_count, p_retry_after, v_now);
    answer := 0;
    ready := true; -- or will be: whoever waits must learn until when
  ELSE
    ready := end_failed(v_job, p_code, p_message, p_give_back, v_now);
    answer := 1;
  END IF;
END $$;

-- False when the lease is lost.
CREATE FUNCTION release_job(p_now bigint, p_job uuid, p_claim bigint, p_worker text) RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE
  v_job jobs := hold_job(p_job, p_claim, p_worker);
BEGIN
  IF v_job.id IS NULL THEN RETURN false; END IF;
  PERFORM requeue(v_job, v_job.attempt_count - 1, 0, now_ms(p_now));
  RETURN true;
END $$;
