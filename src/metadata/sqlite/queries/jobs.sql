-- name: find_idempotent
SELECT fingerprint, job_id FROM idempotency_keys WHERE account_id = ?1 AND key = ?2
-- name: remember_idempotent
INSERT INTO idempotency_keys (account_id, key, fingerprint, job_id, created_at) VALUES (?1, ?2, ?3, ?4, ?5)
-- name: forget_idempotent
DELETE FROM idempotency_keys WHERE account_id = ?1 AND key = ?2
-- name: in_flight
SELECT in_flight FROM queue_accounts WHERE account_id = ?1
-- name: insert
INSERT INTO jobs (id, account_id, asset_id, tileset_id, operation, options, heavy, credits, period_starts_at, queued_at,
                  updated_at, max_attempts, request_id, trace)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?10, ?11, ?12, ?13)
-- name: find
SELECT id, account_id, asset_id, tileset_id, operation, status, options, result, progress, heavy, credits, queued_at,
       started_at, completed_at, updated_at, attempt_count, max_attempts, error_code, error_message, request_id,
       trace
  FROM jobs WHERE id = ?1 AND account_id = ?2
-- name: counts
SELECT coalesce(sum(in_flight - running), 0), coalesce(sum(running), 0),
       (SELECT queued_at FROM jobs WHERE sequence = (
          SELECT min(next_light) FROM queue_accounts WHERE next_light IS NOT NULL)),
       (SELECT queued_at FROM jobs WHERE sequence = (
          SELECT min(next_heavy) FROM queue_accounts WHERE next_heavy IS NOT NULL))
  FROM queue_accounts
-- name: count_ready
SELECT count(*) - coalesce(sum(heavy), 0), coalesce(sum(heavy), 0) FROM queue_ready
-- name: count_in
INSERT INTO queue_accounts (account_id, in_flight) VALUES (?1, 1)
ON CONFLICT (account_id) DO UPDATE SET in_flight = in_flight + 1
-- A job that has just been accepted is the last of its account: only an account that had none ready has another next one.
-- name: first_light
UPDATE queue_accounts SET next_light = ?2 WHERE account_id = ?1 AND held = 0 AND next_light IS NULL
-- name: first_heavy
UPDATE queue_accounts SET next_heavy = ?2 WHERE account_id = ?1 AND held = 0 AND next_heavy IS NULL
-- name: old_idempotent
DELETE FROM idempotency_keys WHERE (account_id, key) IN (
  SELECT account_id, key FROM idempotency_keys WHERE created_at <= ?1 ORDER BY created_at LIMIT ?2)
-- name: remove_ended
DELETE FROM jobs WHERE sequence IN (
  SELECT sequence FROM jobs WHERE completed_at < ?1 AND completed_at IS NOT NULL AND artifacts_left = 0
   ORDER BY completed_at LIMIT ?2)
-- name: artifact_removed
UPDATE jobs SET artifacts_left = artifacts_left - 1 WHERE id = ?1
