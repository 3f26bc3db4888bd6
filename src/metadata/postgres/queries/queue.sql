-- name: claim
SELECT claim, id, account_id, asset_id, tileset_id, operation, status, options, result, progress, heavy, credits,
       queued_at, started_at, completed_at, updated_at, attempt_count, max_attempts, error_code, error_message,
       request_id, trace
  FROM take_jobs($1, $2, $3, $4, $5, $6, $7)
-- name: renew
SELECT renew_lease($1, $2, $3, $4, $5, $6)
-- name: complete
SELECT answer, ready FROM complete_job($1, $2, $3, $4, $5, $6, $7)
-- name: fail
SELECT answer, ready FROM fail_job($1, $2, $3, $4, $5, $6, $7, $8)
-- name: release
SELECT release_job($1, $2, $3, $4)
-- name: end_leases_of
WITH ended AS (
  UPDATE queue_leases SET expires_at = now_ms($1), since = now_ms($1)
   WHERE sequence IN (SELECT sequence FROM queue_leases
                       WHERE worker = ANY ($2::text[]) AND expires_at > now_ms($1) FOR UPDATE SKIP LOCKED)
  RETURNING 1)
SELECT count(*) FROM ended
-- name: next_due
SELECT greatest(0, least((SELECT min(expires_at) FROM queue_leases), (SELECT min(available_at) FROM queue_delayed))
                   - now_ms($1))
 WHERE EXISTS (SELECT 1 FROM queue_leases) OR EXISTS (SELECT 1 FROM queue_delayed)
