-- name: insert
INSERT INTO artifacts (id, account_id, job_id, kind, content_type, byte_size, width, height, checksum_sha256, metadata,
                       storage_key, filename, created_at, expires_at, position)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)
-- name: find
SELECT id, account_id, job_id, kind, content_type, byte_size, width, height, checksum_sha256, metadata, storage_key,
       filename, created_at, expires_at
  FROM artifacts WHERE id = ?1 AND (expires_at IS NULL OR expires_at > ?2)
   AND NOT EXISTS (SELECT 1 FROM accounts a WHERE a.id = account_id AND a.suspended_at IS NOT NULL)
-- name: of_job
SELECT id, account_id, job_id, kind, content_type, byte_size, width, height, checksum_sha256, metadata, storage_key,
       filename, created_at, expires_at
  FROM artifacts WHERE job_id = ?1 AND (expires_at IS NULL OR expires_at > ?2) ORDER BY position
-- name: expired
SELECT id, storage_key, job_id FROM artifacts WHERE expires_at <= ?1 ORDER BY expires_at LIMIT ?2
-- name: remove
DELETE FROM artifacts WHERE id = ?1
