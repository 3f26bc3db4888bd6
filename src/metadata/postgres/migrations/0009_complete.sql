-- Completion: artifacts, and the next version of a tileset.

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
