-- Lists of what an account has: each statement walks an index downwards from an id. Rows are compared as wholes and ordered
-- by all of the index, so that no other index gives that order: the planner would take the one of ids where an account has
-- many rows, and pass over all that others have added since.
-- name: assets
SELECT id, account_id, source_type, status, original_filename, format, width, height, pages, has_alpha,
       bits_per_sample, colour_space, checksum_sha256, byte_size, storage_key, created_at, expires_at
  FROM assets
 WHERE (account_id, id) < ($1, $2) AND (account_id, id) >= ($1, '00000000-0000-0000-0000-000000000000')
   AND (expires_at IS NULL OR expires_at > now_ms($3)) ORDER BY account_id DESC, id DESC LIMIT $4
-- name: signed_asset
SELECT id, account_id, source_type, status, original_filename, format, width, height, pages, has_alpha,
       bits_per_sample, colour_space, checksum_sha256, byte_size, storage_key, created_at, expires_at
  FROM assets WHERE id = $1 AND (expires_at IS NULL OR expires_at > now_ms($2))
   AND NOT EXISTS (SELECT 1 FROM accounts a WHERE a.id = account_id AND a.suspended_at IS NOT NULL)
-- name: terms
SELECT w.place, t.expires_at, v.replaced_at
  FROM unnest($1::uuid[], $2::bigint[]) WITH ORDINALITY AS w(id, version, place)
  JOIN tilesets t ON t.id = w.id JOIN tileset_versions v ON v.tileset_id = t.id AND v.version = w.version
 WHERE t.expires_at IS NULL OR t.expires_at > now_ms($3)
-- name: jobs_of_account
SELECT id, account_id, asset_id, tileset_id, operation, status, options, result, progress, heavy, credits, queued_at,
       started_at, completed_at, updated_at, attempt_count, max_attempts, error_code, error_message, request_id,
       trace
  FROM jobs
 WHERE id = ANY (ARRAY(SELECT newest FROM newest_jobs($1, $2, $3, $4, $5::integer) AS newest
                        ORDER BY newest DESC LIMIT $5::integer))
 ORDER BY id DESC
-- name: jobs_of_asset
SELECT id, account_id = $4 AND ($5::text IS NULL OR status = $5) AND ($6::text IS NULL OR operation = $6)
  FROM jobs WHERE asset_id IS NOT NULL AND (asset_id, id) < ($1, $2) AND (asset_id, id) >= ($1, '00000000-0000-0000-0000-000000000000')
 ORDER BY asset_id DESC, id DESC LIMIT $3
-- name: jobs_on_tileset
SELECT id, account_id = $4 AND ($5::text IS NULL OR status = $5) AND ($6::text IS NULL OR operation = $6)
           AND ($7::uuid IS NULL OR asset_id IS NOT DISTINCT FROM $7)
  FROM jobs WHERE tileset_id IS NOT NULL AND (tileset_id, id) < ($1, $2) AND (tileset_id, id) >= ($1, '00000000-0000-0000-0000-000000000000')
 ORDER BY tileset_id DESC, id DESC LIMIT $3
-- name: jobs_by_id
SELECT id, account_id, asset_id, tileset_id, operation, status, options, result, progress, heavy, credits, queued_at,
       started_at, completed_at, updated_at, attempt_count, max_attempts, error_code, error_message, request_id,
       trace
  FROM jobs WHERE id = ANY ($1::uuid[]) ORDER BY id DESC
-- name: artifacts_of_jobs
SELECT id, account_id, job_id, kind, content_type, byte_size, width, height, checksum_sha256, metadata, storage_key,
       filename, created_at, expires_at
  FROM artifacts WHERE job_id = ANY ($1::uuid[]) AND (expires_at IS NULL OR expires_at > now_ms($2))
 ORDER BY job_id, position
-- name: tilesets
WITH page AS MATERIALIZED (
  SELECT id, account_id, created_at, expires_at, current_version FROM tilesets
   WHERE (account_id, id) < ($1, $2) AND (account_id, id) >= ($1, '00000000-0000-0000-0000-000000000000')
     AND (expires_at IS NULL OR expires_at > now_ms($3)) ORDER BY account_id DESC, id DESC LIMIT $4)
SELECT t.id, t.account_id, t.created_at, t.expires_at, v.version, v.format, v.tile_size, v.width, v.height, v.min_zoom,
       v.max_zoom, v.tile_count, v.options, v.created_at, v.job_id
  FROM page t JOIN tileset_versions v ON v.tileset_id = t.id AND v.version = t.current_version ORDER BY t.id DESC
-- name: versions
SELECT version, format, tile_size, width, height, min_zoom, max_zoom, tile_count, options, created_at, replaced_at, job_id
  FROM tileset_versions WHERE tileset_id = $1 ORDER BY version DESC
