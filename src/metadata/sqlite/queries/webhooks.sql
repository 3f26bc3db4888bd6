-- name: insert
INSERT INTO webhook_endpoints (id, account_id, url, description, events, secret, created_at)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
-- name: find
SELECT id, account_id, url, description, events, previous_until, status, disabled_reason, disabled_at, created_at,
       failures, failing_since, paused_until
  FROM webhook_endpoints WHERE id = ?1
-- name: of_account
SELECT id, account_id, url, description, events, previous_until, status, disabled_reason, disabled_at, created_at,
       failures, failing_since, paused_until
  FROM webhook_endpoints WHERE ?1 IS NULL OR account_id = ?1 ORDER BY created_at, id
-- name: remove
DELETE FROM webhook_endpoints WHERE id = ?1
-- name: disable
UPDATE webhook_endpoints SET status = 'disabled', disabled_reason = ?3, disabled_at = ?2, paused_until = NULL
 WHERE id = ?1 AND status = 'active'
-- name: fail_waiting
-- What is on its way is left to end by itself.
UPDATE webhook_deliveries
   SET state = 'failed', next_attempt_at = NULL, claimed_by = NULL, claimed_until = NULL, ended_at = ?2,
       last_error = 'endpoint_disabled'
 WHERE endpoint_id = ?1 AND state = 'pending' AND (claimed_until IS NULL OR claimed_until <= ?2)
-- name: enable
UPDATE webhook_endpoints
   SET status = 'active', disabled_reason = NULL, disabled_at = NULL, failures = 0, failing_since = NULL,
       paused_until = NULL
 WHERE id = ?1 AND status = 'disabled'
-- name: rotate
UPDATE webhook_endpoints SET previous_secret = secret, previous_until = ?3, secret = ?2 WHERE id = ?1
-- name: deliveries
SELECT id, endpoint_id, account_id, job_id, event, created_at, state, attempts, next_attempt_at, last_status, last_error,
       last_attempt_at, ended_at
  FROM webhook_deliveries
 WHERE (?1 IS NULL OR account_id = ?1) AND (?2 IS NULL OR endpoint_id = ?2) AND (?3 IS NULL OR state = ?3)
 ORDER BY created_at DESC, id DESC LIMIT ?4
-- name: find_delivery
SELECT id, endpoint_id, account_id, job_id, event, created_at, state, attempts, next_attempt_at, last_status, last_error,
       last_attempt_at, ended_at, body
  FROM webhook_deliveries WHERE id = ?1
-- name: log
SELECT attempt, at, duration_ms, status, error, response FROM webhook_attempts WHERE delivery_id = ?1 ORDER BY attempt
-- name: replay
UPDATE webhook_deliveries
   SET state = 'pending', failures = 0, next_attempt_at = ?2, claimed_by = NULL, claimed_until = NULL, ended_at = NULL,
       claim = claim + 1
 WHERE id = ?1
-- name: add_test
INSERT INTO webhook_deliveries (id, endpoint_id, account_id, event, created_at, next_attempt_at)
VALUES (?1, ?2, ?3, ?4, ?5, ?5)
-- Endpoints that something waits for are found by steps in an index, however much waits for each.
-- name: open_endpoints
WITH RECURSIVE waiting (endpoint_id) AS (
  SELECT min(endpoint_id) FROM webhook_deliveries WHERE state = 'pending'
  UNION ALL
  SELECT (SELECT min(d.endpoint_id) FROM webhook_deliveries d
           WHERE d.state = 'pending' AND d.endpoint_id > w.endpoint_id)
    FROM waiting w WHERE w.endpoint_id IS NOT NULL)
SELECT e.id, e.account_id, e.failures FROM waiting w JOIN webhook_endpoints e ON e.id = w.endpoint_id
 WHERE e.status = 'active' AND (e.paused_until IS NULL OR e.paused_until <= ?1)
-- name: any_pending
SELECT 1 FROM webhook_deliveries WHERE state = 'pending' LIMIT 1
-- name: on_way
SELECT endpoint_id, account_id, count(*) FROM webhook_deliveries
 WHERE claimed_until IS NOT NULL AND claimed_until > ?1 GROUP BY endpoint_id, account_id
-- name: due
SELECT id, next_attempt_at FROM webhook_deliveries
 WHERE endpoint_id = ?1 AND state = 'pending' AND next_attempt_at <= ?2 ORDER BY next_attempt_at LIMIT ?3
-- name: claim
UPDATE webhook_deliveries SET claim = claim + 1, claimed_by = ?2, claimed_until = ?3, next_attempt_at = ?3 WHERE id = ?1
-- name: claimed
SELECT d.id, d.claim, d.endpoint_id, d.account_id, d.job_id, d.event, d.created_at, d.attempts, d.failures, d.body, e.url,
       e.secret, iif(e.previous_until > ?2, e.previous_secret, NULL), e.failures, ?2,
       (SELECT j.request_id FROM jobs j WHERE j.id = d.job_id),
       (SELECT j.trace FROM jobs j WHERE j.id = d.job_id)
  FROM webhook_deliveries d JOIN webhook_endpoints e ON e.id = d.endpoint_id WHERE d.id = ?1
-- name: held
SELECT d.attempts, e.id, e.status, e.failures, e.failing_since
  FROM webhook_deliveries d JOIN webhook_endpoints e ON e.id = d.endpoint_id
 WHERE d.id = ?1 AND d.claim = ?2 AND d.claimed_by IS NOT NULL
-- name: note_attempt
INSERT INTO webhook_attempts (delivery_id, attempt, at, duration_ms, status, error, response)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
-- name: end_attempt
UPDATE webhook_deliveries
   SET state = ?2, attempts = attempts + 1, failures = failures + (?6 IS NOT NULL), next_attempt_at = ?3, ended_at = ?4,
       claimed_by = NULL, claimed_until = NULL, body = coalesce(body, ?8), last_status = ?5, last_error = ?6,
       last_attempt_at = ?7
 WHERE id = ?1
-- name: endpoint_answers
UPDATE webhook_endpoints SET failures = 0, failing_since = NULL, paused_until = NULL WHERE id = ?1 AND failures > 0
-- name: send_waiting
UPDATE webhook_deliveries SET next_attempt_at = ?2
 WHERE endpoint_id = ?1 AND state = 'pending' AND claimed_until IS NULL AND next_attempt_at > ?2
-- name: endpoint_fails
UPDATE webhook_endpoints
   SET failures = failures + 1, failing_since = coalesce(failing_since, ?2),
       paused_until = iif(status = 'active' AND failures + 1 >= ?4, ?3, NULL)
 WHERE id = ?1
-- name: end_claims
UPDATE webhook_deliveries SET claimed_by = NULL, claimed_until = NULL, next_attempt_at = ?2
 WHERE claimed_until IS NOT NULL AND claimed_by = ?1
-- name: remove_old
DELETE FROM webhook_deliveries WHERE id IN (
  SELECT id FROM webhook_deliveries WHERE ended_at IS NOT NULL AND ended_at <= ?1 ORDER BY ended_at LIMIT ?2)
-- name: counts
SELECT count(*), min(d.created_at) FROM webhook_deliveries d JOIN webhook_endpoints e ON e.id = d.endpoint_id
 WHERE d.state = 'pending' AND e.status = 'active'
-- name: overdue
SELECT count(*), min(max(d.next_attempt_at, coalesce(e.paused_until, 0)))
  FROM webhook_endpoints e JOIN webhook_deliveries d ON d.endpoint_id = e.id
 WHERE e.status = 'active' AND (e.paused_until IS NULL OR e.paused_until <= ?1)
   AND d.state = 'pending' AND d.next_attempt_at <= ?1
   AND e.account_id NOT IN (SELECT w.account_id FROM webhook_deliveries w
                             WHERE w.claimed_until IS NOT NULL AND w.claimed_until > ?1)
-- name: endpoints
SELECT coalesce(sum(status = 'active'), 0), coalesce(sum(status = 'disabled'), 0) FROM webhook_endpoints
