-- name: find
SELECT id, account_id, job_id, kind, content_type, byte_size, width, height, checksum_sha256, metadata, storage_key,
       filename, created_at, expires_at
  FROM artifacts WHERE id = $1 AND (expires_at IS NULL OR expires_at > now_ms($2))
-- name: of_job
SELECT id, account_id, job_id, kind, content_type, byte_size, width, height, checksum_sha256, metadata, storage_key,
       filename, created_at, expires_at
  FROM artifacts WHERE job_id = $1 AND (expires_at IS NULL OR expires_at > now_ms($2)) ORDER BY position
