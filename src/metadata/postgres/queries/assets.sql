-- name: insert
SELECT insert_asset($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20)
-- name: find
SELECT id, account_id, source_type, status, original_filename, format, width, height, pages, has_alpha,
       bits_per_sample, colour_space, checksum_sha256, byte_size, storage_key, created_at, expires_at
  FROM assets
 WHERE id = ANY ($1::uuid[]) AND account_id = $2 AND (expires_at IS NULL OR expires_at > now_ms($3))
