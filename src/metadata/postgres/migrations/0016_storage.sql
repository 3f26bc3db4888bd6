-- What each account keeps: its assets, and the bytes of all blobs that its rows name, each once. Triggers count, in the
-- transaction of whatever inserts or deletes, so that no path can forget to. A blob of tiles may be named by layers of
-- several versions and by an artifact; one of an asset by several assets.
CREATE TABLE account_storage (
  account_id uuid PRIMARY KEY REFERENCES accounts (id),
  bytes bigint NOT NULL DEFAULT 0 CHECK (bytes >= 0),
  assets bigint NOT NULL DEFAULT 0 CHECK (assets >= 0)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);

CREATE FUNCTION count_storage(p_account uuid, OUT bytes bigint, OUT assets bigint) LANGUAGE sql STABLE AS $$
  SELECT coalesce((SELECT sum(size) FROM (
           SELECT max(byte_size) AS size FROM (
             SELECT storage_key, byte_size FROM assets WHERE account_id = p_account
             UNION ALL SELECT storage_key, byte_size FROM artifacts WHERE account_id = p_account
             UNION ALL SELECT l.storage_key, l.byte_size FROM tileset_layers l JOIN tilesets t ON t.id = l.tileset_id
                        WHERE t.account_id = p_account) AS names
            GROUP BY storage_key) AS blobs), 0)::bigint,
         (SELECT count(*) FROM assets WHERE account_id = p_account)
$$;
INSERT INTO account_storage (account_id, bytes, assets) SELECT a.id, c.bytes, c.assets FROM accounts a, count_storage(a.id) c;

CREATE FUNCTION account_keeps_nothing() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO account_storage (account_id) VALUES (NEW.id);
  RETURN NULL;
END $$;
CREATE TRIGGER account_keeps_nothing AFTER INSERT ON accounts FOR EACH ROW EXECUTE FUNCTION account_keeps_nothing();

-- The row is locked first: of two that name or drop the same blob at once, the second sees what the first did.
CREATE FUNCTION keep_bytes(p_account uuid, p_key text, p_bytes bigint, p_assets integer) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM account_storage WHERE account_id = p_account FOR UPDATE;
  IF NOT is_named(p_key) THEN
    UPDATE account_storage SET bytes = bytes + p_bytes, assets = assets + p_assets WHERE account_id = p_account;
  ELSIF p_assets <> 0 THEN
    UPDATE account_storage SET assets = assets + p_assets WHERE account_id = p_account;
  END IF;
END $$;

-- Before an insertion and after a deletion nothing else may name the blob, or its bytes stay as they are.
CREATE FUNCTION asset_is_kept() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM keep_bytes(NEW.account_id, NEW.storage_key, NEW.byte_size, 1);
  RETURN NEW;
END $$;
CREATE TRIGGER asset_is_kept BEFORE INSERT ON assets FOR EACH ROW EXECUTE FUNCTION asset_is_kept();
CREATE FUNCTION artifact_is_kept() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM keep_bytes(NEW.account_id, NEW.storage_key, NEW.byte_size, 0);
  RETURN NEW;
END $$;
CREATE TRIGGER artifact_is_kept BEFORE INSERT ON artifacts FOR EACH ROW EXECUTE FUNCTION artifact_is_kept();
CREATE FUNCTION layer_is_kept() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM keep_bytes((SELECT account_id FROM tilesets WHERE id = NEW.tileset_id), NEW.storage_key, NEW.byte_size, 0);
  RETURN NEW;
END $$;
CREATE TRIGGER layer_is_kept BEFORE INSERT ON tileset_layers FOR EACH ROW EXECUTE FUNCTION layer_is_kept();

-- Of all rows of a statement at once: each sees all of them gone. In the order of accounts, so that nobody waits in a ring.
CREATE FUNCTION drop_bytes(p_accounts uuid[], p_keys text[], p_sizes bigint[], p_assets integer) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  v_account uuid;
BEGIN
  FOR v_account IN SELECT DISTINCT a FROM unnest(p_accounts) AS a WHERE a IS NOT NULL ORDER BY 1 LOOP
    PERFORM 1 FROM account_storage WHERE account_id = v_account FOR UPDATE;
    UPDATE account_storage s
       SET assets = s.assets - p_assets * (SELECT count(*) FROM unnest(p_accounts) AS a WHERE a = v_account),
           bytes = s.bytes - coalesce((
             SELECT sum(size) FROM (
               SELECT max(g.size) AS size FROM unnest(p_accounts, p_keys, p_sizes) AS g (account, key, size)
                WHERE g.account = v_account AND NOT is_named(g.key) GROUP BY g.key) AS gone), 0)
     WHERE s.account_id = v_account;
  END LOOP;
END $$;
CREATE FUNCTION assets_are_gone() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM drop_bytes(array_agg(account_id), array_agg(storage_key), array_agg(byte_size), 1) FROM gone HAVING count(*) > 0;
  RETURN NULL;
END $$;
CREATE TRIGGER assets_are_gone AFTER DELETE ON assets REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION assets_are_gone();
CREATE FUNCTION artifacts_are_gone() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM drop_bytes(array_agg(account_id), array_agg(storage_key), array_agg(byte_size), 0) FROM gone HAVING count(*) > 0;
  RETURN NULL;
END $$;
CREATE TRIGGER artifacts_are_gone AFTER DELETE ON artifacts REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION artifacts_are_gone();
CREATE FUNCTION layers_are_gone() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM drop_bytes(array_agg(t.account_id), array_agg(g.storage_key), array_agg(g.byte_size), 0)
     FROM gone g JOIN tilesets t ON t.id = g.tileset_id HAVING count(*) > 0;
  RETURN NULL;
END $$;
CREATE TRIGGER layers_are_gone AFTER DELETE ON tileset_layers REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION layers_are_gone();
-- While it can still be told whose they are.
CREATE FUNCTION layers_go_first() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM tileset_layers WHERE tileset_id = OLD.id;
  RETURN OLD;
END $$;
CREATE TRIGGER layers_go_first BEFORE DELETE ON tilesets FOR EACH ROW EXECUTE FUNCTION layers_go_first();

-- As before, and nothing for an account whose storage is full. The older one stays for nodes that are not upgraded yet.
-- `outcome` is SubmitOutcome, or -1 when there is no such account. `ready` when the job can be claimed at once.
CREATE FUNCTION submit_job(
  p_now bigint, p_id uuid, p_account uuid, p_asset uuid, p_tileset uuid, p_operation text, p_options text,
  p_heavy boolean, p_credits bigint, p_max_attempts integer, p_key text, p_fingerprint bytea, p_max_in_flight bigint,
  p_max_credits bigint, p_max_storage bigint, OUT outcome integer, OUT job uuid, OUT accepted_at bigint, OUT ready boolean)
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
