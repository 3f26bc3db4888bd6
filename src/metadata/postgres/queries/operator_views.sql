-- name: accounts
SELECT a.id, a.slug, a.display_name, a.plan_code, a.access_source, a.plan_activated_at, a.created_at, a.suspended_at,
       a.erasure_begun_at, a.erased_at, a.starts_at,
       coalesce((SELECT used FROM credit_periods c WHERE c.account_id = a.id AND c.starts_at = a.starts_at), 0),
       coalesce((SELECT sum(bytes) FROM delivered_bytes d WHERE d.account_id = a.id AND d.starts_at = a.starts_at), 0)::bigint,
       coalesce((SELECT bytes FROM account_storage s WHERE s.account_id = a.id), 0),
       coalesce((SELECT assets FROM account_storage s WHERE s.account_id = a.id), 0)
  FROM (SELECT *, period_start(plan_activated_at, now_ms($5)) AS starts_at,
               CASE WHEN erased_at IS NOT NULL THEN 'erased' WHEN erasure_begun_at IS NOT NULL THEN 'being_erased'
                    WHEN suspended_at IS NOT NULL THEN 'suspended' ELSE 'active' END AS state FROM accounts) AS a
 WHERE a.id < $1 AND ($2::text IS NULL OR a.slug ILIKE $2 ESCAPE '\' OR a.display_name ILIKE $2 ESCAPE '\')
   AND ($3::text IS NULL OR a.state = $3) AND ($4::text IS NULL OR a.plan_code = $4) AND ($7::uuid IS NULL OR a.id = $7)
 ORDER BY a.id DESC LIMIT $6
-- name: account_counts
SELECT count(*) FILTER (WHERE suspended_at IS NULL),
       count(*) FILTER (WHERE suspended_at IS NOT NULL AND erasure_begun_at IS NULL),
       count(*) FILTER (WHERE erasure_begun_at IS NOT NULL)
  FROM accounts WHERE erased_at IS NULL
-- name: accounts_by_plan
SELECT plan_code, count(*) FROM accounts WHERE erased_at IS NULL GROUP BY plan_code
-- name: backlog
SELECT operation, sum(queued)::bigint, sum(running)::bigint, greatest(0, now_ms($1) - min(since)) FROM (
  SELECT j.operation, count(*) AS queued, 0 AS running, min(j.queued_at) AS since
    FROM queue_accounts q JOIN jobs j ON j.account_id = q.account_id AND j.status = 'queued'
   WHERE q.in_flight > q.running GROUP BY j.operation
  UNION ALL
  SELECT j.operation, 0, count(*), NULL FROM queue_leases l JOIN jobs j ON j.sequence = l.sequence GROUP BY j.operation) AS b
 GROUP BY operation ORDER BY operation
-- name: deliveries
SELECT id, endpoint_id, account_id, job_id, event, created_at, state, attempts, next_attempt_at, last_status, last_error,
       last_attempt_at, ended_at
  FROM webhook_deliveries
 WHERE ($1::uuid IS NULL OR account_id = $1) AND ($2::uuid IS NULL OR endpoint_id = $2) AND ($3::text IS NULL OR state = $3)
   AND ($4::uuid IS NULL OR (created_at, id) < (SELECT created_at, id FROM webhook_deliveries WHERE id = $4))
 ORDER BY created_at DESC, id DESC LIMIT $5
-- name: audit
SELECT sequence, at, actor, action, account_id, subject, details FROM audit_log
 WHERE ($1::uuid IS NULL OR account_id = $1) AND ($2::bigint IS NULL OR sequence < $2) ORDER BY sequence DESC LIMIT $3
-- name: job_days
SELECT day, operation, sum(submitted)::bigint, sum(succeeded)::bigint, sum(failed)::bigint, sum(cancelled)::bigint,
       sum(credits)::bigint
  FROM usage_jobs WHERE day BETWEEN $1 AND $2 GROUP BY day, operation ORDER BY day, operation
-- name: job_days_of_account
SELECT day, operation, submitted, succeeded, failed, cancelled, credits FROM usage_jobs
 WHERE account_id = $1 AND day BETWEEN $2 AND $3 ORDER BY day, operation
-- name: upload_days
SELECT day, sum(uploads)::bigint, sum(bytes)::bigint FROM usage_uploads WHERE day BETWEEN $1 AND $2 GROUP BY day ORDER BY day
-- name: upload_days_of_account
SELECT day, uploads, bytes FROM usage_uploads WHERE account_id = $1 AND day BETWEEN $2 AND $3 ORDER BY day
-- name: delivery_days
SELECT day, sum(bytes)::bigint FROM usage_deliveries WHERE day BETWEEN $1 AND $2 GROUP BY day ORDER BY day
-- name: delivery_days_of_account
SELECT day, sum(bytes)::bigint FROM usage_deliveries WHERE account_id = $1 AND day BETWEEN $2 AND $3 GROUP BY day ORDER BY day
