-- Blobs that nothing names any more.
-- name: is_named
SELECT EXISTS (SELECT 1 FROM assets WHERE storage_key = ?1)
    OR EXISTS (SELECT 1 FROM artifacts WHERE storage_key = ?1)
    OR EXISTS (SELECT 1 FROM tileset_layers WHERE storage_key = ?1)
-- name: find
SELECT state, token FROM blob_garbage WHERE storage_key = ?1
-- name: add
INSERT INTO blob_garbage (storage_key, state, due_at) VALUES (?1, 'waiting', ?2)
ON CONFLICT (storage_key) DO UPDATE SET state = 'waiting', due_at = excluded.due_at WHERE state = 'deleted'
-- name: forget
DELETE FROM blob_garbage WHERE storage_key = ?1
-- name: due
SELECT storage_key FROM blob_garbage WHERE state = 'waiting' AND due_at <= ?1 ORDER BY due_at LIMIT ?2
-- name: stuck
SELECT storage_key FROM blob_garbage WHERE state = 'deleting' AND due_at <= ?1 ORDER BY due_at LIMIT ?2
-- name: begin_deletion
UPDATE blob_garbage SET state = 'deleting', due_at = ?2 WHERE storage_key = ?1
-- name: finish_deletion
UPDATE blob_garbage SET state = 'deleted', due_at = ?2, token = ?3 WHERE storage_key = ?1 AND state = 'deleting'
-- name: remove_tombstones
DELETE FROM blob_garbage WHERE storage_key IN (
  SELECT storage_key FROM blob_garbage WHERE state = 'deleted' AND due_at <= ?1 ORDER BY due_at LIMIT ?2)
