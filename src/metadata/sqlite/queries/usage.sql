-- name: credits_used
SELECT used FROM credit_periods WHERE account_id = ?1 AND starts_at = ?2
-- name: delivered
SELECT bytes FROM delivered_bytes WHERE account_id = ?1 AND starts_at = ?2
-- name: history
SELECT starts_at, sum(used), sum(bytes) FROM (
  SELECT starts_at, used, 0 AS bytes FROM credit_periods WHERE account_id = ?1
  UNION ALL
  SELECT starts_at, 0, bytes FROM delivered_bytes WHERE account_id = ?1)
 GROUP BY starts_at ORDER BY starts_at DESC
-- name: ledger
SELECT sequence, account_id, job_id, credits, period_starts_at, at FROM credit_ledger
 WHERE account_id = ?1 AND sequence > ?2 ORDER BY sequence LIMIT ?3
-- name: enter
INSERT INTO credit_ledger (account_id, job_id, kind, credits, period_starts_at, at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
-- name: add_credits
INSERT INTO credit_periods (account_id, starts_at, used) VALUES (?1, ?2, ?3)
ON CONFLICT (account_id, starts_at) DO UPDATE SET used = used + excluded.used
-- name: add_delivered
INSERT INTO delivered_bytes (account_id, starts_at, bytes) VALUES (?1, ?2, ?3)
ON CONFLICT (account_id, starts_at) DO UPDATE SET bytes = bytes + excluded.bytes
-- name: add_delivered_by_day
INSERT INTO usage_deliveries (account_id, day, bytes) VALUES (?1, ?2 / 86400000, ?3)
ON CONFLICT (account_id, day) DO UPDATE SET bytes = bytes + excluded.bytes
-- name: take_credits
UPDATE credit_periods SET used = used - ?3 WHERE account_id = ?1 AND starts_at = ?2
-- name: storage
SELECT bytes, assets FROM account_storage WHERE account_id = ?1
-- name: count_storage
SELECT coalesce((SELECT sum(size) FROM (
         SELECT max(byte_size) AS size FROM (
           SELECT storage_key, byte_size FROM assets WHERE account_id = ?1
           UNION ALL SELECT storage_key, byte_size FROM artifacts WHERE account_id = ?1
           UNION ALL SELECT l.storage_key, l.byte_size FROM tileset_layers l JOIN tilesets t ON t.id = l.tileset_id
                      WHERE t.account_id = ?1)
          GROUP BY storage_key)), 0),
       (SELECT count(*) FROM assets WHERE account_id = ?1)
-- name: set_storage
UPDATE account_storage SET bytes = ?2, assets = ?3 WHERE account_id = ?1
-- name: storage_of_all
SELECT coalesce(sum(bytes), 0), coalesce(sum(assets), 0) FROM account_storage
-- name: forget_job_days
DELETE FROM usage_jobs WHERE (account_id, day, operation) IN (
  SELECT account_id, day, operation FROM usage_jobs WHERE day < ?1 ORDER BY day LIMIT ?2)
-- name: forget_upload_days
DELETE FROM usage_uploads WHERE (account_id, day) IN (
  SELECT account_id, day FROM usage_uploads WHERE day < ?1 ORDER BY day LIMIT ?2)
-- name: forget_delivery_days
DELETE FROM usage_deliveries WHERE (account_id, day) IN (
  SELECT account_id, day FROM usage_deliveries WHERE day < ?1 ORDER BY day LIMIT ?2)
