-- Lists of what an account has, newest first: ids rise with time, so that a page is a place in an index, however many rows
-- lie before it. A job's index says its status and operation too; a list of all is put together from those few ranges.
CREATE INDEX assets_of_account ON assets (account_id, id);
CREATE INDEX tilesets_in_order ON tilesets (account_id, id);
CREATE INDEX jobs_of_account ON jobs (account_id, status, operation, id);
CREATE INDEX jobs_of_asset ON jobs (asset_id, id) WHERE asset_id IS NOT NULL;
CREATE INDEX jobs_on_tileset ON jobs (tileset_id, id) WHERE tileset_id IS NOT NULL;

-- Up to p_limit jobs of each range that is asked for: among them are the newest p_limit of all. Stable, so that all ranges
-- are seen as of one moment, and a job that changes its status is neither missed nor met twice.
CREATE FUNCTION newest_jobs(p_account uuid, p_status text, p_operation text, p_before uuid, p_limit integer)
RETURNS SETOF uuid LANGUAGE plpgsql STABLE AS $$
DECLARE
  v_status text;
  v_operation text;
BEGIN
  FOREACH v_status IN ARRAY CASE WHEN p_status IS NULL THEN ARRAY['queued', 'running', 'succeeded', 'failed']
                                 ELSE ARRAY[p_status] END LOOP
    v_operation := coalesce(p_operation, '');
    LOOP
      IF p_operation IS NULL THEN
        SELECT operation INTO v_operation FROM jobs
         WHERE account_id = p_account AND status = v_status AND operation > v_operation ORDER BY operation LIMIT 1;
        EXIT WHEN NOT FOUND;
      END IF;
      -- Compared and ordered by all of the index, so that the planner takes no other one.
      RETURN QUERY SELECT id FROM jobs
                    WHERE (account_id, status, operation, id) < (p_account, v_status, v_operation, p_before)
                      AND (account_id, status, operation, id) >= (p_account, v_status, v_operation, '00000000-0000-0000-0000-000000000000'::uuid)
                    ORDER BY account_id DESC, status DESC, operation DESC, id DESC LIMIT p_limit;
      EXIT WHEN p_operation IS NOT NULL;
    END LOOP;
  END LOOP;
END $$;

-- The job that made a version; a job is on the tileset that it made, too.
ALTER TABLE tileset_versions ADD COLUMN job_id uuid;
CREATE FUNCTION name_what_was_made() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  v_tileset uuid := (NEW.result::jsonb ->> 'tileset_id')::uuid;
BEGIN
  NEW.tileset_id := coalesce(NEW.tileset_id, v_tileset);
  UPDATE tileset_versions SET job_id = NEW.id
   WHERE tileset_id = v_tileset AND version = (NEW.result::jsonb ->> 'version')::bigint;
  RETURN NEW;
END $$;
CREATE TRIGGER jobs_name_what_they_made BEFORE UPDATE OF status ON jobs FOR EACH ROW
  WHEN (NEW.status = 'succeeded' AND NEW.result <> '{}') EXECUTE FUNCTION name_what_was_made();
-- Versions that are there already are looked up in the results of the jobs that still are.
UPDATE tileset_versions v SET job_id = m.id
  FROM (SELECT id, (result::jsonb ->> 'tileset_id')::uuid AS tileset, (result::jsonb ->> 'version')::bigint AS version
          FROM jobs WHERE result <> '{}') AS m
 WHERE m.tileset = v.tileset_id AND m.version = v.version;
UPDATE jobs j SET tileset_id = v.tileset_id FROM tileset_versions v WHERE v.job_id = j.id AND j.tileset_id IS NULL;

-- A job that waits may be cancelled: then it fails without ever having run.
DROP TRIGGER jobs_change_status_as_drawn ON jobs;
CREATE TRIGGER jobs_change_status_as_drawn BEFORE UPDATE OF status ON jobs FOR EACH ROW
  WHEN (NOT (OLD.status = 'queued' AND NEW.status = 'running'
          OR OLD.status = 'queued' AND NEW.status = 'failed' AND NEW.error_code = 'cancelled'
          OR OLD.status = 'running' AND NEW.status IN ('queued', 'succeeded', 'failed')))
  EXECUTE FUNCTION refuse_undrawn_change();

-- Ends a job that has not ended. Its credits come back if no attempt has begun. As in hold_job: the account, then the
-- lease, then the job. `ended` when it did; `ready` when that let the next job on its tileset go.
CREATE FUNCTION cancel_job(p_now bigint, p_account uuid, p_job uuid, p_code text, p_message text, p_change integer,
                           OUT ended boolean, OUT ready boolean)
LANGUAGE plpgsql AS $$
DECLARE
  v_now bigint := now_ms(p_now);
  v_job jobs;
  v_was_next boolean := true;
  v_sequence bigint;
  v_heavy boolean;
BEGIN
  ended := false;
  ready := false;
  IF NOT lock_account(p_account) THEN RETURN; END IF;
  SELECT * INTO v_job FROM jobs WHERE id = p_job AND account_id = p_account;
  IF v_job.id IS NULL OR v_job.status IN ('succeeded', 'failed') THEN RETURN; END IF;
  PERFORM 1 FROM queue_leases WHERE sequence = v_job.sequence FOR UPDATE;
  ended := true;
  UPDATE jobs SET status = 'failed', error_code = p_code, error_message = p_message, completed_at = v_now,
                  updated_at = v_now
   WHERE sequence = v_job.sequence;
  IF v_job.attempt_count = 0 THEN PERFORM give_back(v_job, v_now); END IF;
  PERFORM note_change(p_change, p_job);
  IF v_job.status = 'running' THEN
    ready := leave_queue(v_job);
    RETURN;
  END IF;

  DELETE FROM queue_ready WHERE account_id = p_account AND heavy = v_job.heavy AND sequence = v_job.sequence;
  IF FOUND THEN
    UPDATE queue_accounts
       SET next_light = CASE WHEN NOT held THEN (
             SELECT min(sequence) FROM queue_ready WHERE account_id = p_account AND NOT heavy) END,
           next_heavy = CASE WHEN NOT held THEN (
             SELECT min(sequence) FROM queue_ready WHERE account_id = p_account AND heavy) END
     WHERE account_id = p_account;
  ELSE
    DELETE FROM queue_delayed WHERE sequence = v_job.sequence;
    v_was_next := FOUND;
  END IF;
  UPDATE queue_accounts SET in_flight = in_flight - 1 WHERE account_id = p_account;
  -- One that waited for its tileset held nobody up.
  IF v_job.tileset_id IS NULL OR NOT v_was_next THEN RETURN; END IF;
  SELECT sequence, heavy INTO v_sequence, v_heavy FROM jobs
   WHERE account_id = p_account AND tileset_id = v_job.tileset_id AND status IN ('queued', 'running')
   ORDER BY sequence LIMIT 1;
  IF NOT FOUND THEN RETURN; END IF;
  PERFORM make_ready(p_account, v_heavy, v_sequence);
  ready := true;
END $$;

-- What accounts have deleted of late: a deletion that is asked for again has been done, and is not a mistake.
CREATE TABLE deletions (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL,
  deleted_at bigint NOT NULL
);
CREATE INDEX deletions_by_age ON deletions (deleted_at);

-- Deletion: 0 removed, 1 removed before, 2 not there.
CREATE FUNCTION note_deletion(p_found boolean, p_account uuid, p_id uuid, p_now bigint) RETURNS integer
LANGUAGE plpgsql AS $$
BEGIN
  IF p_found THEN
    INSERT INTO deletions (id, account_id, deleted_at) VALUES (p_id, p_account, p_now) ON CONFLICT DO NOTHING;
    RETURN 0;
  END IF;
  RETURN CASE WHEN EXISTS (SELECT 1 FROM deletions WHERE id = p_id AND account_id = p_account) THEN 1 ELSE 2 END;
END $$;

CREATE FUNCTION delete_asset(p_now bigint, p_account uuid, p_id uuid, p_keep bigint) RETURNS integer
LANGUAGE plpgsql AS $$
DECLARE
  v_now bigint := now_ms(p_now);
  v_key text;
BEGIN
  PERFORM lock_account(p_account);
  DELETE FROM assets WHERE id = p_id AND account_id = p_account AND (expires_at IS NULL OR expires_at > v_now)
  RETURNING storage_key INTO v_key;
  IF v_key IS NOT NULL THEN PERFORM discard_blob(v_key, v_now + p_keep); END IF;
  RETURN note_deletion(v_key IS NOT NULL, p_account, p_id, v_now);
END $$;

CREATE FUNCTION delete_artifact(p_now bigint, p_account uuid, p_id uuid, p_keep bigint) RETURNS integer
LANGUAGE plpgsql AS $$
DECLARE
  v_now bigint := now_ms(p_now);
  v_gone artifacts;
BEGIN
  PERFORM lock_account(p_account);
  DELETE FROM artifacts WHERE id = p_id AND account_id = p_account AND (expires_at IS NULL OR expires_at > v_now)
  RETURNING * INTO v_gone;
  IF v_gone.id IS NOT NULL THEN
    UPDATE jobs SET artifacts_left = artifacts_left - 1 WHERE id = v_gone.job_id;
    PERFORM discard_blob(v_gone.storage_key, v_now + p_keep);
  END IF;
  RETURN note_deletion(v_gone.id IS NOT NULL, p_account, p_id, v_now);
END $$;

-- Deletion, or 3 for a job that has not ended. One that has none left is as it shall be.
CREATE FUNCTION delete_artifacts_of(p_now bigint, p_account uuid, p_job uuid, p_keep bigint) RETURNS integer
LANGUAGE plpgsql AS $$
DECLARE
  v_now bigint := now_ms(p_now);
  v_status text;
  v_artifact uuid;
BEGIN
  PERFORM lock_account(p_account);
  SELECT status INTO v_status FROM jobs WHERE id = p_job AND account_id = p_account;
  IF NOT FOUND THEN RETURN 2; END IF;
  IF v_status IN ('queued', 'running') THEN RETURN 3; END IF;
  FOR v_artifact IN SELECT id FROM artifacts WHERE job_id = p_job ORDER BY id LOOP
    PERFORM delete_artifact(v_now, p_account, v_artifact, p_keep);
  END LOOP;
  RETURN 0;
END $$;

CREATE FUNCTION delete_tileset(p_now bigint, p_account uuid, p_id uuid, p_keep bigint) RETURNS integer
LANGUAGE plpgsql AS $$
DECLARE
  v_now bigint := now_ms(p_now);
BEGIN
  PERFORM lock_account(p_account);
  PERFORM 1 FROM tilesets WHERE id = p_id AND account_id = p_account AND (expires_at IS NULL OR expires_at > v_now)
     FOR UPDATE;
  IF NOT FOUND THEN RETURN note_deletion(false, p_account, p_id, v_now); END IF;
  PERFORM remove_tileset(p_id, v_now + p_keep);
  RETURN note_deletion(true, p_account, p_id, v_now);
END $$;
