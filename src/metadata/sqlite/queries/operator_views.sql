-- name: accounts
SELECT a.id, a.slug, a.display_name, a.plan_code, a.access_source, a.plan_activated_at, a.created_at, a.suspended_at,
       a.erasure_begun_at, a.erased_at, a.starts_at,
       coalesce((SELECT used FROM credit_periods c WHERE c.account_id = a.id AND c.starts_at = a.starts_at), 0),
       coalesce((SELECT bytes FROM delivered_bytes d WHERE d.account_id = a.id AND d.starts_at = a.starts_at), 0),
       coalesce((SELECT bytes FROM account_storage s WHERE s.account_id = a.id), 0),
       coalesce((SELECT assets FROM account_storage s WHERE s.account_id = a.id), 0)
  FROM (SELECT *, plan_activated_at + max(0, ?5 - plan_activated_at) / 2592000000 * 2592000000 AS starts_at,
               CASE WHEN erased_at IS NOT NULL THEN 'erased' WHEN erasure_begun_at IS NOT NULL THEN 'being_erased'
                    WHEN suspended_at IS NOT NULL THEN 'suspended' ELSE 'active' END AS state FROM accounts) AS a
 WHERE a.id < ?1 AND (?2 IS NULL OR a.slug LIKE ?2 ESCAPE '\' OR a.display_name LIKE ?2 ESCAPE '\')
   AND (?3 IS NULL OR a.state = ?3) AND (?4 IS NULL OR a.plan_code = ?4) AND (?7 IS NULL OR a.id = ?7)
 ORDER BY a.id DESC LIMIT ?6
-- name: account_counts
SELECT coalesce(sum(suspended_at IS NULL), 0), coalesce(sum(suspended_at IS NOT NULL AND erasure_begun_at IS NULL), 0),
       coalesce(sum(erasure_begun_at IS NOT NULL), 0)
  FROM accounts WHERE erased_at IS NULL
-- name: accounts_by_plan
SELECT plan_code, count(*) FROM accounts WHERE erased_at IS NULL GROUP BY plan_code
-- Ids rise with time: the oldest is the least, and all of it is read from the index.
-- name: backlog
SELECT b.operation, b.queued, b.running, (SELECT queued_at FROM jobs WHERE id = b.oldest) FROM (
  SELECT operation, sum(queued) AS queued, sum(running) AS running, min(oldest) AS oldest FROM (
    SELECT j.operation AS operation, count(*) AS queued, 0 AS running, min(j.id) AS oldest
      FROM queue_accounts q JOIN jobs j INDEXED BY jobs_of_account ON j.account_id = q.account_id AND j.status = 'queued'
     WHERE q.in_flight > q.running GROUP BY j.account_id, j.operation
    UNION ALL
    SELECT j.operation, 0, count(*), NULL FROM queue_leases l JOIN jobs j ON j.sequence = l.sequence GROUP BY j.operation)
   GROUP BY operation) AS b ORDER BY b.operation
-- name: deliveries
SELECT id, endpoint_id, account_id, job_id, event, created_at, state, attempts, next_attempt_at, last_status, last_error,
       last_attempt_at, ended_at
  FROM webhook_deliveries
 WHERE (?1 IS NULL OR account_id = ?1) AND (?2 IS NULL OR endpoint_id = ?2) AND (?3 IS NULL OR state = ?3)
   AND (?4 IS NULL OR (created_at, id) < (SELECT created_at, id FROM webhook_deliveries WHERE id = ?4))
 ORDER BY created_at DESC, id DESC LIMIT ?5
-- name: audit
SELECT sequence, at, actor, action, account_id, subject, details FROM audit_log
 WHERE (?1 IS NULL OR account_id = ?1) AND (?2 IS NULL OR sequence < ?2) ORDER BY sequence DESC LIMIT ?3
-- name: job_days
SELECT day, operation, sum(submitted), sum(succeeded), sum(failed), sum(cancelled), sum(credits) FROM usage_jobs
 WHERE day BETWEEN ?1 AND ?2 GROUP BY day, operation ORDER BY day, operation
-- name: job_days_of_account
SELECT day, operation, submitted, succeeded, failed, cancelled, credits FROM usage_jobs
 WHERE account_id = ?1 AND day BETWEEN ?2 AND ?3 ORDER BY day, operation
-- name: upload_days
SELECT day, sum(uploads), sum(bytes) FROM usage_uploads WHERE day BETWEEN ?1 AND ?2 GROUP BY day ORDER BY day
-- name: upload_days_of_account
SELECT day, uploads, bytes FROM usage_uploads WHERE account_id = ?1 AND day BETWEEN ?2 AND ?3 ORDER BY day
-- name: delivery_days
SELECT day, sum(bytes) FROM usage_deliveries WHERE day BETWEEN ?1 AND ?2 GROUP BY day ORDER BY day
-- name: delivery_days_of_account
SELECT day, bytes FROM usage_deliveries WHERE account_id = ?1 AND day BETWEEN ?2 AND ?3 ORDER BY day
