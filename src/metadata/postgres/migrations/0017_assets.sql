-- An asset is inserted: whether the account may have it, its blob's name and the row, in one call, so that a node sends many
-- in one transaction. As everywhere the account's row comes first, then what it keeps, then the blob's name.

-- 0, or why not: what take_name says (-1, or a token), -2 for an account that is gone or going, -3 when its storage is full.
CREATE FUNCTION insert_asset(
  p_id uuid, p_account uuid, p_source_type text, p_status text, p_original_filename text, p_format text, p_width bigint,
  p_height bigint, p_pages integer, p_has_alpha boolean, p_bits_per_sample integer, p_colour_space text,
  p_checksum_sha256 text, p_byte_size bigint, p_storage_key text, p_created_at bigint, p_expires_at bigint,
  p_token bigint, p_max_bytes bigint, p_max_assets bigint)
RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  v_kept account_storage;
  v_verdict bigint;
BEGIN
  IF NOT lock_account(p_account) OR (SELECT closed FROM queue_accounts WHERE account_id = p_account) THEN
    RETURN -2;
  END IF;
  SELECT * INTO v_kept FROM account_storage WHERE account_id = p_account FOR UPDATE;
  IF v_kept.assets >= p_max_assets
     OR (v_kept.bytes + p_byte_size > p_max_bytes AND (v_kept.bytes > p_max_bytes OR NOT is_named(p_storage_key))) THEN
    RETURN -3;
  END IF;
  v_verdict := take_name(p_storage_key, p_token);
  IF v_verdict <> 0 THEN RETURN v_verdict; END IF;
  INSERT INTO assets (id, account_id, source_type, status, original_filename, format, width, height, pages, has_alpha,
                      bits_per_sample, colour_space, checksum_sha256, byte_size, storage_key, created_at, expires_at)
  VALUES (p_id, p_account, p_source_type, p_status, p_original_filename, p_format, p_width, p_height, p_pages,
          p_has_alpha, p_bits_per_sample, p_colour_space, p_checksum_sha256, p_byte_size, p_storage_key, p_created_at,
          p_expires_at);
  RETURN 0;
END $$;
