-- Tilesets go, and long stacks of layers are folded.

CREATE FUNCTION remove_tileset(p_id uuid, p_due_at bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM discard_blob(k, p_due_at)
     FROM (SELECT DISTINCT storage_key AS k FROM tileset_layers WHERE tileset_id = p_id ORDER BY 1) AS keys;
  DELETE FROM tilesets WHERE id = p_id;
  PERFORM note_change(3, p_id);
END $$;

-- Replaces layers anywhere in the stack of whichever version is current. FoldAnswer: 0 folded, 1 changed, 2 gone.
CREATE FUNCTION fold_layers(p_now bigint, p_id uuid, p_replaced text[], p_key text, p_size bigint, p_keep bigint)
RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  v_now bigint := now_ms(p_now);
  v_count integer := cardinality(p_replaced);
  v_version bigint;
  v_first integer;
BEGIN
  SELECT current_version INTO v_version
    FROM tilesets WHERE id = p_id AND (expires_at IS NULL OR expires_at > v_now) FOR UPDATE;
  IF NOT FOUND THEN RETURN 2; END IF;
  SELECT position INTO v_first
    FROM tileset_layers WHERE tileset_id = p_id AND version = v_version AND storage_key = p_replaced[1];
  IF v_count = 0 OR v_first IS NULL OR p_replaced IS DISTINCT FROM
     (SELECT array_agg(storage_key ORDER BY position) FROM tileset_layers
       WHERE tileset_id = p_id AND version = v_version AND position BETWEEN v_first AND v_first + v_count - 1) THEN
    RETURN 1;
  END IF;
  PERFORM take_names(ARRAY[p_key]);
  DELETE FROM tileset_layers
   WHERE tileset_id = p_id AND version = v_version AND position BETWEEN v_first AND v_first + v_count - 1;
  INSERT INTO tileset_layers (tileset_id, version, position, storage_key, byte_size)
  VALUES (p_id, v_version, v_first, p_key, p_size);
  -- One after the other from below, so that no two layers have one position for a moment.
  FOR v_position IN (v_first + v_count)..(SELECT max(position) FROM tileset_layers
                                           WHERE tileset_id = p_id AND version = v_version) LOOP
    UPDATE tileset_layers SET position = v_position - v_count + 1
     WHERE tileset_id = p_id AND version = v_version AND position = v_position;
  END LOOP;
  UPDATE tilesets SET depth = (SELECT count(*) FROM tileset_layers WHERE tileset_id = p_id AND version = v_version)
   WHERE id = p_id;
  PERFORM discard_blob(k, v_now + p_keep) FROM unnest(p_replaced) AS k;
  PERFORM note_change(3, p_id);
  RETURN 0;
END $$;
