-- name: find
SELECT id, account_id, job_id, kind, content_type, byte_size, width, height, checksum_sha256, metadata, storage_key,
       filename, created_at, expires_at
  FROM artifacts WHERE id = $1 AND (expires_at IS NULL OR expires_at > now_ms($2))
   AND NOT EXISTS (SELECT 1 FROM accounts a WHERE a.id = account_id AND a.suspended_at IS NOT NULL)
-- name: of_job
SELECT id, account_id, job_id, kind, content_type, byte_size, width, height, checksum_sha256, metadata, storage_key,
       filename, created_at, expires_at
  FROM artifacts WHERE job_id = $1 AND (expires_at IS NULL OR expires_at > now_ms($2)) ORDER BY position
