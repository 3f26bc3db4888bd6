-- Completion takes what the worker made as JSON, by name. What nodes that are not upgraded yet call, with a parameter for
-- each column, stays.

-- The next version of a tileset. CompleteAnswer: 0 done, 2 tileset gone, 3 tileset changed.
CREATE FUNCTION publish_version(p_now bigint, p_account uuid, p_version jsonb) RETURNS integer LANGUAGE sql AS $$
  SELECT publish_version(
           p_now, p_account, v.tileset_id, v.based_on, v.append,
           coalesce(array_agg(l.storage_key ORDER BY l.position), '{}'),
           coalesce(array_agg(l.byte_size ORDER BY l.position), '{}'),
           v.format, v.tile_size, v.width, v.height, v.min_zoom, v.max_zoom, v.tile_count, v.options, v.expires_at)
    FROM jsonb_to_record(p_version)
           AS v (tileset_id uuid, based_on bigint, append boolean, layers jsonb, format text, tile_size integer,
                 width bigint, height bigint, min_zoom integer, max_zoom integer, tile_count bigint, options text,
                 expires_at bigint),
         ROWS FROM (jsonb_to_recordset(v.layers) AS (storage_key text, byte_size bigint)) WITH ORDINALITY
           AS l (storage_key, byte_size, position)
   GROUP BY v.tileset_id, v.based_on, v.append, v.format, v.tile_size, v.width, v.height, v.min_zoom, v.max_zoom,
            v.tile_count, v.options, v.expires_at
$$;

-- CompleteAnswer: 0 done, 1 lease lost, 2 tileset gone, 3 tileset changed. `p_version` is null where there is none.
CREATE FUNCTION complete_job(
  p_now bigint, p_job uuid, p_claim bigint, p_worker text, p_result text, p_artifacts jsonb, p_version jsonb,
  OUT answer integer, OUT ready boolean)
LANGUAGE plpgsql AS $$
DECLARE
  v_now bigint := now_ms(p_now);
  v_job jobs := hold_job(p_job, p_claim, p_worker);
BEGIN
  ready := false;
  answer := 1;
  IF v_job.id IS NULL THEN RETURN; END IF;
  IF p_version IS NOT NULL THEN
    answer := publish_version(v_now, v_job.account_id, p_version);
    IF answer <> 0 THEN RETURN; END IF;
  END IF;
  PERFORM take_names(ARRAY(SELECT a ->> 'storage_key' FROM jsonb_array_elements(p_artifacts) AS a));
  INSERT INTO artifacts (id, account_id, job_id, position, kind, content_type, byte_size, width, height,
                         checksum_sha256, metadata, storage_key, filename, created_at, expires_at)
  SELECT a.id, v_job.account_id, v_job.id, a.position - 1, a.kind, a.content_type, a.byte_size, a.width, a.height,
         a.checksum_sha256, a.metadata, a.storage_key, a.filename, coalesce(a.created_at, v_now), a.expires_at
    FROM ROWS FROM (jsonb_to_recordset(p_artifacts)
           AS (id uuid, kind text, content_type text, byte_size bigint, width bigint, height bigint,
               checksum_sha256 text, metadata text, storage_key text, filename text, created_at bigint,
               expires_at bigint)) WITH ORDINALITY
      AS a (id, kind, content_type, byte_size, width, height, checksum_sha256, metadata, storage_key, filename,
            created_at, expires_at, position);
  UPDATE jobs SET status = 'succeeded', result = p_result, progress = 1,
                  artifacts_left = jsonb_array_length(p_artifacts), completed_at = v_now, updated_at = v_now
   WHERE sequence = v_job.sequence;
  ready := leave_queue(v_job);
  answer := 0;
END $$;
