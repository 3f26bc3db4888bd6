-- name: mark
UPDATE accounts SET suspended_at = coalesce(suspended_at, ?2), erasure_begun_at = coalesce(erasure_begun_at, ?2)
 WHERE id = ?1
-- name: clear_ready
DELETE FROM queue_ready WHERE account_id = ?1
-- name: clear_delayed
DELETE FROM queue_delayed WHERE sequence IN (
  SELECT d.sequence FROM queue_delayed d JOIN jobs j ON j.sequence = d.sequence WHERE j.account_id = ?1)
-- name: close_queue
UPDATE queue_accounts SET running = 0, in_flight = 0, closed = 1 WHERE account_id = ?1
-- name: remove_keys
DELETE FROM api_keys WHERE account_id = ?1
-- name: remove_entitlements
DELETE FROM entitlements WHERE account_id = ?1
-- name: silence_webhooks
UPDATE webhook_endpoints SET status = 'disabled', disabled_reason = 'operator', disabled_at = ?2, paused_until = NULL
 WHERE account_id = ?1 AND status = 'active'
-- Looked for beside the writer, because it may be a walk through the whole table.
-- name: assets
SELECT id FROM assets WHERE account_id = ?1 LIMIT ?2
-- name: artifacts
SELECT id FROM artifacts WHERE account_id = ?1 LIMIT ?2
-- name: tilesets
SELECT id FROM tilesets WHERE account_id = ?1 LIMIT ?2
-- name: jobs
SELECT id FROM jobs WHERE account_id = ?1 LIMIT ?2
-- name: remove_job
DELETE FROM jobs WHERE id = ?1
-- name: webhook_deliveries
SELECT id FROM webhook_deliveries WHERE account_id = ?1 LIMIT ?2
-- name: remove_webhook_delivery
DELETE FROM webhook_deliveries WHERE id = ?1
-- name: webhook_endpoints
SELECT id FROM webhook_endpoints WHERE account_id = ?1 LIMIT ?2
-- name: remove_idempotency_keys
DELETE FROM idempotency_keys WHERE account_id = ?1
-- name: forget_garbage
DELETE FROM blob_garbage WHERE storage_key >= ?1 AND storage_key < ?2
-- name: finish
UPDATE accounts SET slug = ?2, display_name = '', erased_at = ?3 WHERE id = ?1
-- name: unfinished
SELECT id FROM accounts WHERE erasure_begun_at IS NOT NULL AND erased_at IS NULL ORDER BY erasure_begun_at, id
