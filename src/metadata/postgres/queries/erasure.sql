-- name: lock
SELECT id, slug, display_name, plan_code, access_source, plan_activated_at, created_at, suspended_at, erasure_begun_at,
       erased_at
  FROM accounts WHERE id = $1 FOR NO KEY UPDATE
-- name: begin
SELECT begin_erasure($1, now_ms($2))
-- name: silence_webhooks
UPDATE webhook_endpoints
   SET status = 'disabled', disabled_reason = 'operator', disabled_at = now_ms($2), paused_until = NULL
 WHERE account_id = $1 AND status = 'active'
-- name: remove_webhook_deliveries
DELETE FROM webhook_deliveries WHERE id IN (SELECT id FROM webhook_deliveries WHERE account_id = $1 LIMIT $2)
-- name: remove_webhook_endpoints
DELETE FROM webhook_endpoints WHERE account_id = $1
-- name: remove_some
SELECT erase_some($1, $2)
-- name: forget_garbage
DELETE FROM blob_garbage
 WHERE starts_with(storage_key, 'assets/' || $1::uuid || '/') OR starts_with(storage_key, 'artifacts/' || $1::uuid || '/')
    OR starts_with(storage_key, 'tilesets/' || $1::uuid || '/')
-- name: finish
UPDATE accounts SET slug = 'erased-' || id, display_name = '', erased_at = now_ms($2) WHERE id = $1
-- name: unfinished
SELECT id FROM accounts WHERE erasure_begun_at IS NOT NULL AND erased_at IS NULL ORDER BY erasure_begun_at, id
