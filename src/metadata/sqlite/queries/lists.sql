-- Lists of what an account has: each statement walks an index downwards from an id.
-- name: assets
SELECT id, account_id, source_type, status, original_filename, format, width, height, pages, has_alpha,
       bits_per_sample, colour_space, checksum_sha256, byte_size, storage_key, created_at, expires_at
  FROM assets INDEXED BY assets_of_account
 WHERE account_id = ?1 AND id < ?2 AND (expires_at IS NULL OR expires_at > ?3) ORDER BY id DESC LIMIT ?4
-- name: signed_asset
SELECT id, account_id, source_type, status, original_filename, format, width, height, pages, has_alpha,
       bits_per_sample, colour_space, checksum_sha256, byte_size, storage_key, created_at, expires_at
  FROM assets WHERE id = ?1 AND (expires_at IS NULL OR expires_at > ?2)
   AND NOT EXISTS (SELECT 1 FROM accounts a WHERE a.id = account_id AND a.suspended_at IS NOT NULL)
-- name: terms
SELECT t.expires_at, v.replaced_at FROM tilesets t JOIN tileset_versions v ON v.tileset_id = t.id
 WHERE t.id = ?1 AND v.version = ?2 AND (t.expires_at IS NULL OR t.expires_at > ?3)
-- name: next_operation
SELECT operation FROM jobs INDEXED BY jobs_of_account
 WHERE account_id = ?1 AND status = ?2 AND operation > ?3 ORDER BY operation LIMIT 1
-- name: jobs
SELECT id FROM jobs INDEXED BY jobs_of_account
 WHERE account_id = ?1 AND status = ?2 AND operation = ?3 AND id < ?4 ORDER BY id DESC LIMIT ?5
-- name: jobs_of_asset
SELECT id, account_id = ?4 AND (?5 IS NULL OR status = ?5) AND (?6 IS NULL OR operation = ?6)
  FROM jobs INDEXED BY jobs_of_asset WHERE asset_id = ?1 AND id < ?2 ORDER BY id DESC LIMIT ?3
-- name: jobs_on_tileset
SELECT id, account_id = ?4 AND (?5 IS NULL OR status = ?5) AND (?6 IS NULL OR operation = ?6)
           AND (?7 IS NULL OR asset_id IS ?7)
  FROM jobs INDEXED BY jobs_on_tileset WHERE tileset_id = ?1 AND id < ?2 ORDER BY id DESC LIMIT ?3
-- name: tilesets
SELECT t.id, t.account_id, t.created_at, t.expires_at, v.version, v.format, v.tile_size, v.width, v.height, v.min_zoom,
       v.max_zoom, v.tile_count, v.options, v.created_at, v.job_id
  FROM tilesets t INDEXED BY tilesets_in_order
  JOIN tileset_versions v ON v.tileset_id = t.id AND v.version = t.current_version
 WHERE t.account_id = ?1 AND t.id < ?2 AND (t.expires_at IS NULL OR t.expires_at > ?3) ORDER BY t.id DESC LIMIT ?4
-- name: versions
SELECT version, format, tile_size, width, height, min_zoom, max_zoom, tile_count, options, created_at, replaced_at, job_id
  FROM tileset_versions WHERE tileset_id = ?1 ORDER BY version DESC
