-- name: submit
SELECT outcome, job, accepted_at, ready
  FROM submit_job($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)
-- name: find
SELECT id, account_id, asset_id, tileset_id, operation, status, options, result, progress, heavy, credits, queued_at,
       started_at, completed_at, updated_at, attempt_count, max_attempts, error_code, error_message, request_id,
       trace
  FROM jobs WHERE id = $1 AND account_id = $2
-- name: cancel
SELECT ended, ready FROM cancel_job($1, $2, $3, $4, $5, $6)
-- name: find_idempotent
SELECT fingerprint, job_id FROM idempotency_keys WHERE account_id = $1 AND key = $2
-- name: counts
SELECT coalesce(sum(in_flight - running), 0), coalesce(sum(running), 0),
       (SELECT greatest(0, now_ms($1) - queued_at) FROM jobs WHERE sequence = (
          SELECT min(next_light) FROM queue_accounts WHERE next_light IS NOT NULL)),
       (SELECT greatest(0, now_ms($1) - queued_at) FROM jobs WHERE sequence = (
          SELECT min(next_heavy) FROM queue_accounts WHERE next_heavy IS NOT NULL))
  FROM queue_accounts
-- name: count_ready
SELECT count(*) FILTER (WHERE NOT heavy), count(*) FILTER (WHERE heavy) FROM queue_ready
