-- name: make_ready
INSERT INTO queue_ready (account_id, heavy, sequence) VALUES (?1, ?2, ?3)
-- name: take_ready
DELETE FROM queue_ready WHERE account_id = ?1 AND heavy = ?2 AND sequence = ?3
-- name: refresh_account
UPDATE queue_accounts SET
  next_light = CASE held WHEN 0 THEN (SELECT min(sequence) FROM queue_ready WHERE account_id = ?1 AND heavy = 0) END,
  next_heavy = CASE held WHEN 0 THEN (SELECT min(sequence) FROM queue_ready WHERE account_id = ?1 AND heavy = 1) END
 WHERE account_id = ?1
-- name: hold
INSERT INTO queue_accounts (account_id, held) VALUES (?1, 1) ON CONFLICT (account_id) DO UPDATE SET held = 1
-- name: let_go
UPDATE queue_accounts SET held = 0 WHERE account_id = ?1
-- name: running_of
SELECT j.sequence, j.id, j.account_id, j.tileset_id, j.heavy, j.credits, j.period_starts_at, j.attempt_count,
       j.max_attempts, j.request_id, j.trace
  FROM queue_leases l JOIN jobs j ON j.sequence = l.sequence WHERE j.account_id = ?1
-- name: count_started
UPDATE queue_accounts SET running = running + 1 WHERE account_id = ?1
-- name: count_stopped
UPDATE queue_accounts SET running = running - 1 WHERE account_id = ?1
-- name: count_cancelled
UPDATE queue_accounts SET in_flight = in_flight - 1 WHERE account_id = ?1
-- name: count_ended
UPDATE queue_accounts SET running = running - 1, in_flight = in_flight - 1 WHERE account_id = ?1
-- name: next_any
SELECT account_id, next_any, next_any IS next_heavy FROM queue_accounts
 WHERE next_any IS NOT NULL ORDER BY running, next_any LIMIT 1
-- name: next_light
SELECT account_id, next_light, 0 FROM queue_accounts
 WHERE next_light IS NOT NULL ORDER BY running, next_light LIMIT 1
-- name: start
UPDATE jobs SET status = 'running', attempt_count = attempt_count + 1, claim = claim + 1, progress = 0,
                started_at = coalesce(started_at, ?2), updated_at = ?2
 WHERE sequence = ?1
-- Not by RETURNING, which would make a table for its one row.
-- name: started
SELECT claim, id, account_id, asset_id, tileset_id, operation, status, options, result, progress, heavy, credits,
       queued_at, started_at, completed_at, updated_at, attempt_count, max_attempts, error_code, error_message,
       request_id, trace
  FROM jobs WHERE sequence = ?1
-- name: lease
INSERT INTO queue_leases (sequence, worker, expires_at, since) VALUES (?1, ?2, ?3, ?4)
-- name: renew
UPDATE queue_leases SET expires_at = ?2, since = ?3 WHERE sequence = ?1
-- name: end_lease
DELETE FROM queue_leases WHERE sequence = ?1
-- name: end_leases_of
UPDATE queue_leases SET expires_at = ?2, since = ?2 WHERE worker = ?1 AND expires_at > ?2 RETURNING 1
-- name: progress
UPDATE jobs SET progress = max(progress, ?2), updated_at = ?3 WHERE sequence = ?1 AND progress < ?2
-- name: held
SELECT j.sequence, j.id, j.account_id, j.tileset_id, j.heavy, j.credits, j.period_starts_at, j.attempt_count,
       j.max_attempts, j.request_id, j.trace
  FROM jobs j JOIN queue_leases l ON l.sequence = j.sequence
 WHERE j.id = ?1 AND j.claim = ?2 AND l.worker = ?3
-- name: expired
SELECT j.sequence, j.id, j.account_id, j.tileset_id, j.heavy, j.credits, j.period_starts_at, j.attempt_count,
       j.max_attempts, j.request_id, j.trace
  FROM queue_leases l JOIN jobs j ON j.sequence = l.sequence
 WHERE l.expires_at <= ?1 ORDER BY l.expires_at LIMIT ?2
-- name: not_ended
SELECT sequence, id, account_id, tileset_id, heavy, credits, period_starts_at, attempt_count, max_attempts, request_id,
       trace, status
  FROM jobs WHERE id = ?1 AND account_id = ?2 AND status IN ('queued', 'running')
-- name: any_from_the_future
SELECT 1 WHERE EXISTS (SELECT 1 FROM queue_leases WHERE since > ?1) OR EXISTS (SELECT 1 FROM queue_delayed WHERE since > ?1)
-- name: leases_from_the_future
UPDATE queue_leases SET expires_at = expires_at - since + ?1, since = ?1 WHERE since > ?2
-- name: delays_from_the_future
UPDATE queue_delayed SET available_at = available_at - since + ?1, since = ?1 WHERE since > ?2
-- name: succeed
UPDATE jobs SET status = 'succeeded', result = ?2, progress = 1, artifacts_left = ?4, completed_at = ?3,
                updated_at = ?3, tileset_id = coalesce(tileset_id, ?5)
 WHERE sequence = ?1
-- name: fail
UPDATE jobs SET status = 'failed', error_code = ?2, error_message = ?3, completed_at = ?4, updated_at = ?4
 WHERE sequence = ?1
-- name: requeue
UPDATE jobs SET status = 'queued', attempt_count = ?2, progress = 0, updated_at = ?3 WHERE sequence = ?1
-- name: delay
INSERT INTO queue_delayed (sequence, available_at, since) VALUES (?1, ?2, ?3)
-- name: delay_over
SELECT j.sequence, j.account_id, j.heavy FROM queue_delayed d JOIN jobs j ON j.sequence = d.sequence
 WHERE d.available_at <= ?1 ORDER BY d.available_at LIMIT ?2
-- name: end_delay
DELETE FROM queue_delayed WHERE sequence = ?1
-- name: first_of_tileset
SELECT sequence, heavy FROM jobs
 WHERE account_id = ?1 AND tileset_id = ?2 AND status IN ('queued', 'running') ORDER BY sequence LIMIT 1
-- name: next_due
SELECT min(at) FROM (SELECT min(expires_at) AS at FROM queue_leases
                     UNION ALL SELECT min(available_at) FROM queue_delayed)
