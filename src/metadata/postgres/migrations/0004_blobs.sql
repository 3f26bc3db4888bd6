-- Names of blobs, and the deletion of those that have none left.

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
