-- name: insert
INSERT INTO webhook_endpoints (id, account_id, url, description, events, secret, created_at)
SELECT $1, a.id, $3, $4, $5, $6, now_ms($7) FROM accounts a WHERE a.id = $2 AND a.erasure_begun_at IS NULL FOR KEY SHARE
RETURNING id, account_id, url, description, events, previous_until, status, disabled_reason, disabled_at, created_at,
          failures, failing_since, paused_until
-- name: find
SELECT id, account_id, url, description, events, previous_until, status, disabled_reason, disabled_at, created_at,
       failures, failing_since, paused_until
  FROM webhook_endpoints WHERE id = $1
-- name: lock
SELECT id, account_id, url, description, events, previous_until, status, disabled_reason, disabled_at, created_at,
       failures, failing_since, paused_until
  FROM webhook_endpoints WHERE id = $1 FOR UPDATE
-- name: of_account
SELECT id, account_id, url, description, events, previous_until, status, disabled_reason, disabled_at, created_at,
       failures, failing_since, paused_until
  FROM webhook_endpoints WHERE $1::uuid IS NULL OR account_id = $1 ORDER BY created_at, id
-- name: remove
DELETE FROM webhook_endpoints WHERE id = $1
-- name: disable
SELECT disable_webhook_endpoint(now_ms($2), $1, $3)
-- name: enable
UPDATE webhook_endpoints
   SET status = 'active', disabled_reason = NULL, disabled_at = NULL, failures = 0, failing_since = NULL,
       paused_until = NULL
 WHERE id = $1 AND status = 'disabled'
-- name: rotate
UPDATE webhook_endpoints SET previous_secret = secret, previous_until = now_ms($4) + $3, secret = $2 WHERE id = $1
-- name: deliveries
SELECT id, endpoint_id, account_id, job_id, event, created_at, state, attempts, next_attempt_at, last_status, last_error,
       last_attempt_at, ended_at
  FROM webhook_deliveries
 WHERE ($1::uuid IS NULL OR account_id = $1) AND ($2::uuid IS NULL OR endpoint_id = $2)
   AND ($3::text IS NULL OR state = $3)
 ORDER BY created_at DESC, id DESC LIMIT $4
-- name: find_delivery
SELECT id, endpoint_id, account_id, job_id, event, created_at, state, attempts, next_attempt_at, last_status, last_error,
       last_attempt_at, ended_at, body
  FROM webhook_deliveries WHERE id = $1
-- name: log
SELECT attempt, at, duration_ms, status, error, response FROM webhook_attempts WHERE delivery_id = $1 ORDER BY attempt
-- name: replay
UPDATE webhook_deliveries
   SET state = 'pending', failures = 0, next_attempt_at = now_ms($2), claimed_by = NULL, claimed_until = NULL,
       ended_at = NULL, claim = claim + 1
 WHERE id = $1
-- name: add_test
INSERT INTO webhook_deliveries (id, endpoint_id, account_id, event, created_at, next_attempt_at)
VALUES ($1, $2, $3, $4, now_ms($5), now_ms($5))
-- name: claim
SELECT c.*, (SELECT j.trace FROM jobs j WHERE j.id = c.job_id)
  FROM claim_webhooks($1, $2, $3, $4, $5, $6, $7) AS c
-- name: record
SELECT recorded, state, disabled
  FROM record_webhook_attempt($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
-- name: endpoint_of
SELECT endpoint_id FROM webhook_deliveries WHERE id = $1
-- name: end_claims
UPDATE webhook_deliveries SET claimed_by = NULL, claimed_until = NULL, next_attempt_at = now_ms($2)
 WHERE claimed_until IS NOT NULL AND claimed_by = ANY ($1::text[])
-- name: remove_old
DELETE FROM webhook_deliveries WHERE id IN (
  SELECT id FROM webhook_deliveries WHERE ended_at IS NOT NULL AND ended_at <= now_ms($1) - $2
   ORDER BY ended_at LIMIT $3 FOR UPDATE SKIP LOCKED)
-- name: counts
SELECT count(*), now_ms($1) - min(d.created_at)
  FROM webhook_deliveries d JOIN webhook_endpoints e ON e.id = d.endpoint_id
 WHERE d.state = 'pending' AND e.status = 'active'
-- name: overdue
SELECT count(*), now_ms($1) - min(greatest(d.next_attempt_at, e.paused_until))
  FROM webhook_endpoints e JOIN webhook_deliveries d ON d.endpoint_id = e.id
 WHERE e.status = 'active' AND (e.paused_until IS NULL OR e.paused_until <= now_ms($1))
   AND d.state = 'pending' AND d.next_attempt_at <= now_ms($1)
   AND e.account_id NOT IN (SELECT w.account_id FROM webhook_deliveries w
                             WHERE w.claimed_until IS NOT NULL AND w.claimed_until > now_ms($1))
-- name: endpoints
SELECT count(*) FILTER (WHERE status = 'active'), count(*) FILTER (WHERE status = 'disabled') FROM webhook_endpoints
