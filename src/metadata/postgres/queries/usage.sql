-- name: current
SELECT p.starts_at,
       coalesce((SELECT used FROM credit_periods c WHERE c.account_id = $1 AND c.starts_at = p.starts_at), 0),
       coalesce((SELECT sum(bytes) FROM delivered_bytes d WHERE d.account_id = $1 AND d.starts_at = p.starts_at), 0)
  FROM (SELECT period_start(plan_activated_at, now_ms($2)) AS starts_at FROM accounts WHERE id = $1) AS p
-- name: history
SELECT starts_at, sum(used), sum(bytes) FROM (
  SELECT starts_at, used, 0 AS bytes FROM credit_periods WHERE account_id = $1
  UNION ALL
  SELECT starts_at, 0, bytes FROM delivered_bytes WHERE account_id = $1) AS both_kinds
 GROUP BY starts_at ORDER BY starts_at DESC
-- name: ledger
SELECT sequence, account_id, job_id, credits, period_starts_at, at FROM credit_ledger
 WHERE account_id = $1 AND sequence > $2 ORDER BY sequence LIMIT $3
-- name: add_delivered
INSERT INTO delivered_bytes AS d (account_id, starts_at, node, bytes)
SELECT a.id, period_start(a.plan_activated_at, now_ms($4)), $3, sum(n.bytes)
  FROM unnest($1::uuid[], $2::bigint[]) AS n (account_id, bytes) JOIN accounts a ON a.id = n.account_id
 WHERE n.bytes > 0 GROUP BY a.id ORDER BY a.id
ON CONFLICT (account_id, starts_at, node) DO UPDATE SET bytes = d.bytes + excluded.bytes
-- name: add_delivered_by_day
INSERT INTO usage_deliveries AS d (account_id, day, node, bytes)
SELECT a.id, now_ms($4) / 86400000, $3, sum(n.bytes)
  FROM unnest($1::uuid[], $2::bigint[]) AS n (account_id, bytes) JOIN accounts a ON a.id = n.account_id
 WHERE n.bytes > 0 GROUP BY a.id ORDER BY a.id
ON CONFLICT (account_id, day, node) DO UPDATE SET bytes = d.bytes + excluded.bytes
-- name: storage
SELECT bytes, assets FROM account_storage WHERE account_id = $1
-- name: lock_storage
SELECT 1 FROM account_storage WHERE account_id = $1 FOR UPDATE
-- name: recount_storage
UPDATE account_storage SET (bytes, assets) = (SELECT c.bytes, c.assets FROM count_storage($1) c) WHERE account_id = $1
RETURNING bytes, assets
-- name: storage_of_all
SELECT coalesce(sum(bytes), 0)::bigint, coalesce(sum(assets), 0)::bigint FROM account_storage
-- A day that is over long ago has no writers: rows are locked in no order.
-- name: forget_job_days
DELETE FROM usage_jobs WHERE (account_id, day, operation) IN (
  SELECT account_id, day, operation FROM usage_jobs WHERE day < $1 ORDER BY day LIMIT $2 FOR UPDATE SKIP LOCKED)
-- name: forget_upload_days
DELETE FROM usage_uploads WHERE (account_id, day) IN (
  SELECT account_id, day FROM usage_uploads WHERE day < $1 ORDER BY day LIMIT $2 FOR UPDATE SKIP LOCKED)
-- name: forget_delivery_days
DELETE FROM usage_deliveries WHERE (account_id, day, node) IN (
  SELECT account_id, day, node FROM usage_deliveries WHERE day < $1 ORDER BY day LIMIT $2 FOR UPDATE SKIP LOCKED)
