-- name: queued_since
SELECT id, status, updated_at FROM jobs WHERE account_id = ?1 AND status = 'queued' AND updated_at >= ?2 LIMIT ?3
-- name: running_since
SELECT j.id, j.status, j.updated_at FROM queue_leases l CROSS JOIN jobs j ON j.sequence = l.sequence
 WHERE j.account_id = ?1 AND j.updated_at >= ?2 LIMIT ?3
-- name: ended_since
SELECT id, status, completed_at FROM jobs
 WHERE account_id = ?1 AND completed_at >= ?2 AND completed_at IS NOT NULL LIMIT ?3
-- name: owner
SELECT account_id FROM jobs WHERE id = ?1
-- name: in_flight
SELECT 1 FROM jobs WHERE id = ?1 AND status IN ('queued', 'running')
