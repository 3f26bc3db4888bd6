-- Accounts that are suspended, being erased, or erased: of those the row stays for the ledger, under a name that says so.
ALTER TABLE accounts ADD COLUMN suspended_at bigint;
ALTER TABLE accounts ADD COLUMN erasure_begun_at bigint;
ALTER TABLE accounts ADD COLUMN erased_at bigint;

-- A held account's jobs wait. One that is closed, because it is being erased, takes none.
ALTER TABLE queue_accounts ADD COLUMN held boolean NOT NULL DEFAULT false;
ALTER TABLE queue_accounts ADD COLUMN closed boolean NOT NULL DEFAULT false;
ALTER TABLE queue_accounts ADD CHECK (NOT closed OR (held AND in_flight = 0));

CREATE OR REPLACE FUNCTION make_ready(p_account uuid, p_heavy boolean, p_sequence bigint) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO queue_ready (account_id, heavy, sequence) VALUES (p_account, p_heavy, p_sequence);
  IF p_heavy THEN
    UPDATE queue_accounts SET next_heavy = p_sequence
     WHERE account_id = p_account AND NOT held AND (next_heavy IS NULL OR next_heavy > p_sequence);
  ELSE
    UPDATE queue_accounts SET next_light = p_sequence
     WHERE account_id = p_account AND NOT held AND (next_light IS NULL OR next_light > p_sequence);
  END IF;
END $$;

-- Nothing of the account is claimed any more, and what runs goes back without costing an attempt. As in hold_job: the
-- account, then the lease, then the job.
CREATE FUNCTION hold_account(p_account uuid, p_now bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_sequence bigint;
  v_job jobs;
BEGIN
  PERFORM lock_account(p_account);
  UPDATE queue_accounts SET held = true, next_light = NULL, next_heavy = NULL WHERE account_id = p_account;
  FOR v_sequence IN SELECT sequence FROM queue_leases WHERE account_id = p_account ORDER BY sequence FOR UPDATE LOOP
    SELECT * INTO v_job FROM jobs WHERE sequence = v_sequence;
    PERFORM requeue(v_job, v_job.attempt_count - 1, 0, p_now);
  END LOOP;
END $$;

CREATE FUNCTION let_account_go(p_account uuid) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM lock_account(p_account);
  UPDATE queue_accounts
     SET held = false,
         next_light = (SELECT min(sequence) FROM queue_ready WHERE account_id = p_account AND NOT heavy),
         next_heavy = (SELECT min(sequence) FROM queue_ready WHERE account_id = p_account AND heavy)
   WHERE account_id = p_account;
END $$;

-- From here on the account has no keys, and no job and no asset of it can be added.
CREATE FUNCTION begin_erasure(p_account uuid, p_now bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  UPDATE accounts SET suspended_at = coalesce(suspended_at, p_now), erasure_begun_at = coalesce(erasure_begun_at, p_now)
   WHERE id = p_account;
  PERFORM hold_account(p_account, p_now);
  DELETE FROM queue_ready WHERE account_id = p_account;
  DELETE FROM queue_delayed WHERE account_id = p_account;
  UPDATE queue_accounts SET running = 0, in_flight = 0, closed = true WHERE account_id = p_account;
  DELETE FROM api_keys WHERE account_id = p_account;
  DELETE FROM entitlements WHERE account_id = p_account;
END $$;

-- Some rows of what the account owned; 0 when nothing is left. Their blobs are the eraser's to remove.
CREATE FUNCTION erase_some(p_account uuid, p_limit integer) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  v_gone bigint;
  v_tileset uuid;
BEGIN
  DELETE FROM assets WHERE id IN (SELECT id FROM assets WHERE account_id = p_account LIMIT p_limit);
  GET DIAGNOSTICS v_gone = ROW_COUNT;
  IF v_gone > 0 THEN RETURN v_gone; END IF;
  DELETE FROM artifacts WHERE id IN (SELECT id FROM artifacts WHERE account_id = p_account LIMIT p_limit);
  GET DIAGNOSTICS v_gone = ROW_COUNT;
  IF v_gone > 0 THEN RETURN v_gone; END IF;
  FOR v_tileset IN SELECT id FROM tilesets WHERE account_id = p_account ORDER BY id LIMIT 100 FOR UPDATE LOOP
    DELETE FROM tilesets WHERE id = v_tileset;
    PERFORM note_change(3, v_tileset);
    v_gone := v_gone + 1;
  END LOOP;
  IF v_gone > 0 THEN RETURN v_gone; END IF;
  DELETE FROM jobs WHERE sequence IN (SELECT sequence FROM jobs WHERE account_id = p_account LIMIT p_limit);
  GET DIAGNOSTICS v_gone = ROW_COUNT;
  IF v_gone > 0 THEN RETURN v_gone; END IF;
  DELETE FROM idempotency_keys WHERE account_id = p_account;
  GET DIAGNOSTICS v_gone = ROW_COUNT;
  RETURN v_gone;
END $$;
