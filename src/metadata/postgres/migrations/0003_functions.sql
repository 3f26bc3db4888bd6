-- What must be one round trip and one transaction. Parameters begin with p_, variables with v_.

-- The caller's time, which only tests give, or the database's.
CREATE FUNCTION now_ms(p_now bigint) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT coalesce(p_now, (extract(epoch FROM statement_timestamp()) * 1000)::bigint)
$$;

-- The start of the billing period of 30 days that p_now falls into.
CREATE FUNCTION period_start(p_activated_at bigint, p_now bigint) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT p_activated_at + greatest(0, p_now - p_activated_at) / 2592000000 * 2592000000
$$;

-- `kind` is Change::Kind. Listeners hear it when the transaction commits.
CREATE FUNCTION note_change(p_kind integer, p_id uuid) RETURNS void LANGUAGE sql AS $$
  SELECT pg_notify('tessera_changes', p_kind || ' ' || p_id)
$$;

-- Blobs -------------------------------------------------------------------------------------------------------------

CREATE FUNCTION is_named(p_key text) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT 1 FROM assets WHERE storage_key = p_key)
      OR EXISTS (SELECT 1 FROM artifacts WHERE storage_key = p_key)
      OR EXISTS (SELECT 1 FROM tileset_layers WHERE storage_key = p_key)
$$;

-- Whether another name is left is judged when the deletion begins: two names that go at once do not see each other go.
CREATE FUNCTION discard_blob(p_key text, p_due_at bigint) RETURNS void LANGUAGE sql AS $$
  INSERT INTO blob_garbage AS g (storage_key, state, due_at) VALUES (p_key, 'waiting', p_due_at)
  ON CONFLICT (storage_key) DO UPDATE
    SET state = CASE g.state WHEN 'deleted' THEN 'waiting' ELSE g.state END,
        due_at = CASE g.state WHEN 'deleting' THEN g.due_at ELSE excluded.due_at END
$$;

-- Before a row that names the blob is inserted: 0, or -1 while the blob is being deleted, or the token of its deletion,
-- after which it must be written again. Until the end of the transaction no deletion of the blob can begin.
CREATE FUNCTION take_name(p_key text, p_token bigint) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  v_garbage blob_garbage;
BEGIN
  PERFORM pg_advisory_xact_lock_shared(hashtextextended(p_key, 0));
  SELECT * INTO v_garbage FROM blob_garbage WHERE storage_key = p_key FOR UPDATE;
  IF NOT FOUND THEN RETURN 0; END IF;
  IF v_garbage.state = 'deleting' THEN RETURN -1; END IF;
  IF v_garbage.state = 'deleted' AND v_garbage.token <> p_token THEN RETURN v_garbage.token; END IF;
  DELETE FROM blob_garbage WHERE storage_key = p_key;
  RETURN 0;
END $$;

CREATE FUNCTION begin_blob_deletion(p_now bigint, p_limit integer, p_timeout bigint) RETURNS SETOF text
LANGUAGE plpgsql AS $$
DECLARE
  v_now bigint := now_ms(p_now);
  v_left integer := p_limit;
  v_state text;
  v_key text;
BEGIN
  FOREACH v_state IN ARRAY ARRAY['waiting', 'deleting'] LOOP
    FOR v_key IN
      SELECT storage_key FROM blob_garbage WHERE state = v_state AND due_at <= v_now
       ORDER BY due_at LIMIT v_left FOR UPDATE SKIP LOCKED
    LOOP
      CONTINUE WHEN NOT pg_try_advisory_xact_lock(hashtextextended(v_key, 0)); -- someone is about to name it
      IF is_named(v_key) THEN
        DELETE FROM blob_garbage WHERE storage_key = v_key;
      ELSE
        UPDATE blob_garbage SET state = 'deleting', due_at = v_now + p_timeout WHERE storage_key = v_key;
        v_left := v_left - 1;
        RETURN NEXT v_key;
      END IF;
    END LOOP;
  END LOOP;
END $$;

-- The queue ---------------------------------------------------------------------------------------------------------

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

-- `outcome` is SubmitOutcome, or -1 when there is no such account. `ready` when the job can be claimed at once.
CREATE FUNCTION submit_job(
  p_now bigint, p_id uuid, p_account uuid, p_asset uuid, p_tileset uuid, p_operation text, p_options text,
  p_heavy boolean, p_credits bigint, p_max_attempts integer, p_key text, p_fingerprint bytea, p_max_in_flight bigint,
  p_max_credits bigint, OUT outcome integer, OUT job uuid, OUT accepted_at bigint, OUT ready boolean)
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
                    queued_at, updated_at, max_attempts)
  VALUES (p_id, p_account, p_asset, p_tileset, p_operation, p_options, p_heavy, p_credits, v_period, accepted_at, accepted_at,
          p_max_attempts)
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

-- Completion --------------------------------------------------------------------------------------------------------

-- All names that a completion gives; raises when a blob is gone or going, and then the work must be done again.
CREATE FUNCTION take_names(p_keys text[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_key text;
BEGIN
  FOR v_key IN SELECT DISTINCT k FROM unnest(p_keys) AS k ORDER BY k LOOP
    IF take_name(v_key, 0) <> 0 THEN
      RAISE EXCEPTION 'the blob of an output was swept before the output was named' USING ERRCODE = 'TS001';
    END IF;
  END LOOP;
END $$;

-- The next version of a tileset. CompleteAnswer: 0 done, 2 tileset gone, 3 tileset changed.
CREATE FUNCTION publish_version(
  p_now bigint, p_account uuid, p_tileset uuid, p_based_on bigint, p_append boolean, p_keys text[], p_sizes bigint[],
  p_format text, p_tile_size integer, p_width bigint, p_height bigint, p_min_zoom integer, p_max_zoom integer,
  p_tile_count bigint, p_options text, p_expires_at bigint)
RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  v_before tilesets;
  v_below integer := 0;
BEGIN
  SELECT * INTO v_before FROM tilesets WHERE id = p_tileset FOR UPDATE;
  IF p_based_on = 0 THEN
    IF FOUND THEN RETURN 3; END IF;
    INSERT INTO tilesets (id, account_id, current_version, depth, created_at, expires_at)
    VALUES (p_tileset, p_account, 1, cardinality(p_keys), p_now, p_expires_at);
  ELSE
    IF NOT FOUND OR v_before.account_id <> p_account OR v_before.expires_at <= p_now THEN RETURN 2; END IF;
    IF v_before.current_version <> p_based_on THEN RETURN 3; END IF;
    IF p_append THEN v_below := v_before.depth; END IF;
    UPDATE tileset_versions SET replaced_at = p_now WHERE tileset_id = p_tileset AND version = p_based_on;
    UPDATE tilesets SET current_version = p_based_on + 1, depth = v_below + cardinality(p_keys),
                        expires_at = p_expires_at
     WHERE id = p_tileset;
  END IF;
  PERFORM take_names(p_keys);
  INSERT INTO tileset_versions (tileset_id, version, format, tile_size, width, height, min_zoom, max_zoom, tile_count,
                                options, created_at)
  VALUES (p_tileset, p_based_on + 1, p_format, p_tile_size, p_width, p_height, p_min_zoom, p_max_zoom, p_tile_count,
          p_options, p_now);
  IF v_below > 0 THEN
    INSERT INTO tileset_layers (tileset_id, version, position, storage_key, byte_size)
    SELECT tileset_id, p_based_on + 1, position, storage_key, byte_size FROM tileset_layers
     WHERE tileset_id = p_tileset AND version = p_based_on;
  END IF;
  INSERT INTO tileset_layers (tileset_id, version, position, storage_key, byte_size)
  SELECT p_tileset, p_based_on + 1, v_below + new.position - 1, new.key, new.size
    FROM unnest(p_keys, p_sizes) WITH ORDINALITY AS new (key, size, position);
  PERFORM note_change(3, p_tileset);
  RETURN 0;
END $$;

-- CompleteAnswer: 0 done, 1 lease lost, 2 tileset gone, 3 tileset changed.
CREATE FUNCTION complete_job(
  p_now bigint, p_job uuid, p_claim bigint, p_worker text, p_result text,
  -- the artifacts, one element each
  p_ids uuid[], p_kinds text[], p_content_types text[], p_sizes bigint[], p_widths bigint[], p_heights bigint[],
  p_checksums text[], p_metadata text[], p_keys text[], p_filenames text[], p_created_at bigint[],
  p_expires_at bigint[],
  -- the new version of a tileset, when p_tileset is not null
  p_tileset uuid, p_based_on bigint, p_append boolean, p_layer_keys text[], p_layer_sizes bigint[], p_format text,
  p_tile_size integer, p_width bigint, p_height bigint, p_min_zoom integer, p_max_zoom integer, p_tile_count bigint,
  p_options text, p_tileset_expires_at bigint,
  OUT answer integer, OUT ready boolean)
LANGUAGE plpgsql AS $$
DECLARE
  v_now bigint := now_ms(p_now);
  v_job jobs := hold_job(p_job, p_claim, p_worker);
BEGIN
  ready := false;
  answer := 1;
  IF v_job.id IS NULL THEN RETURN; END IF;
  IF p_tileset IS NOT NULL THEN
    answer := publish_version(v_now, v_job.account_id, p_tileset, p_based_on, p_append, p_layer_keys, p_layer_sizes,
                              p_format, p_tile_size, p_width, p_height, p_min_zoom, p_max_zoom, p_tile_count,
                              p_options, p_tileset_expires_at);
    IF answer <> 0 THEN RETURN; END IF;
  END IF;
  PERFORM take_names(p_keys);
  INSERT INTO artifacts (id, account_id, job_id, position, kind, content_type, byte_size, width, height,
                         checksum_sha256, metadata, storage_key, filename, created_at, expires_at)
  SELECT a.id, v_job.account_id, v_job.id, a.position - 1, a.kind, a.content_type, a.size, a.width, a.height,
         a.checksum, a.metadata, a.key, a.filename, coalesce(a.created_at, v_now), a.expires_at
    FROM unnest(p_ids, p_kinds, p_content_types, p_sizes, p_widths, p_heights, p_checksums, p_metadata, p_keys,
                p_filenames, p_created_at, p_expires_at) WITH ORDINALITY
      AS a (id, kind, content_type, size, width, height, checksum, metadata, key, filename, created_at, expires_at,
            position);
  UPDATE jobs SET status = 'succeeded', result = p_result, progress = 1, artifacts_left = cardinality(p_ids),
                  completed_at = v_now, updated_at = v_now
   WHERE sequence = v_job.sequence;
  ready := leave_queue(v_job);
  answer := 0;
END $$;

-- Tilesets ----------------------------------------------------------------------------------------------------------

CREATE FUNCTION remove_tileset(p_id uuid, p_due_at bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM discard_blob(k, p_due_at)
     FROM (SELECT DISTINCT storage_key AS k FROM tileset_layers WHERE tileset_id = p_id ORDER BY 1) AS keys;
  DELETE FROM tilesets WHERE id = p_id;
  PERFORM note_change(3, p_id);
END $$;

-- FoldAnswer: 0 folded, 1 changed, 2 gone.
CREATE FUNCTION fold_version(p_now bigint, p_id uuid, p_version bigint, p_replaced text[], p_key text, p_size bigint,
                             p_keep bigint)
RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  v_now bigint := now_ms(p_now);
  v_count integer := cardinality(p_replaced);
  v_layers integer;
BEGIN
  PERFORM 1 FROM tilesets WHERE id = p_id AND (expires_at IS NULL OR expires_at > v_now) FOR UPDATE;
  IF NOT FOUND OR NOT EXISTS (SELECT 1 FROM tileset_versions WHERE tileset_id = p_id AND version = p_version) THEN
    RETURN 2;
  END IF;
  IF v_count = 0 OR p_replaced IS DISTINCT FROM
     (SELECT array_agg(storage_key ORDER BY position) FROM tileset_layers
       WHERE tileset_id = p_id AND version = p_version AND position < v_count) THEN
    RETURN 1;
  END IF;
  PERFORM take_names(ARRAY[p_key]);
  DELETE FROM tileset_layers WHERE tileset_id = p_id AND version = p_version AND position < v_count;
  -- One after the other from below, so that no two layers have one position for a moment.
  FOR v_position IN v_count..(SELECT coalesce(max(position), -1) FROM tileset_layers
                               WHERE tileset_id = p_id AND version = p_version) LOOP
    UPDATE tileset_layers SET position = v_position - v_count + 1
     WHERE tileset_id = p_id AND version = p_version AND position = v_position;
  END LOOP;
  INSERT INTO tileset_layers (tileset_id, version, position, storage_key, byte_size)
  VALUES (p_id, p_version, 0, p_key, p_size);
  SELECT count(*) INTO v_layers FROM tileset_layers WHERE tileset_id = p_id AND version = p_version;
  UPDATE tilesets SET depth = v_layers WHERE id = p_id AND current_version = p_version;
  PERFORM discard_blob(k, v_now + p_keep) FROM unnest(p_replaced) AS k;
  PERFORM note_change(3, p_id);
  RETURN 0;
END $$;
