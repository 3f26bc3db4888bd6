-- name: asset
DELETE FROM assets WHERE id = ?1 AND account_id = ?2 AND (expires_at IS NULL OR expires_at > ?3) RETURNING storage_key
-- name: artifact
DELETE FROM artifacts WHERE id = ?1 AND account_id = ?2 AND (expires_at IS NULL OR expires_at > ?3)
RETURNING storage_key, job_id
-- name: job_status
SELECT status FROM jobs WHERE id = ?1 AND account_id = ?2
-- name: artifacts_of
SELECT id FROM artifacts WHERE job_id = ?1
-- name: note
INSERT INTO deletions (id, account_id, deleted_at) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING
-- name: is_noted
SELECT 1 FROM deletions WHERE id = ?1 AND account_id = ?2
-- name: forget_old
DELETE FROM deletions WHERE id IN (SELECT id FROM deletions WHERE deleted_at <= ?1 ORDER BY deleted_at LIMIT ?2)
