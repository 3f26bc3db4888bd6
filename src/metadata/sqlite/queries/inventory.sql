-- Blobs as rows name them, in the order of their keys: each part comes sorted from its index, and a page ends the walk.
-- name: size
SELECT count(*), coalesce(sum(size), 0) FROM (
  SELECT max(byte_size) AS size FROM (
    SELECT storage_key, byte_size FROM assets
    UNION ALL SELECT storage_key, byte_size FROM artifacts
    UNION ALL SELECT storage_key, byte_size FROM tileset_layers)
   GROUP BY storage_key)
-- name: keys
SELECT storage_key FROM assets WHERE storage_key > ?1
UNION SELECT storage_key FROM artifacts WHERE storage_key > ?1
UNION SELECT storage_key FROM tileset_layers WHERE storage_key > ?1
 ORDER BY storage_key LIMIT ?2
-- name: asset
SELECT id, account_id, byte_size, checksum_sha256, (SELECT count(*) FROM assets WHERE storage_key = ?1)
  FROM assets WHERE storage_key = ?1 LIMIT 1
-- name: artifact
SELECT id, account_id, byte_size, checksum_sha256, (SELECT count(*) FROM artifacts WHERE storage_key = ?1)
  FROM artifacts WHERE storage_key = ?1 LIMIT 1
-- name: layer
SELECT l.tileset_id, l.version, t.account_id, l.byte_size,
       (SELECT count(*) FROM tileset_layers WHERE storage_key = ?1)
  FROM tileset_layers l JOIN tilesets t ON t.id = l.tileset_id
 WHERE l.storage_key = ?1 ORDER BY l.version DESC LIMIT 1
-- name: is_orphan
SELECT NOT EXISTS (SELECT 1 FROM assets WHERE storage_key = ?1)
   AND NOT EXISTS (SELECT 1 FROM artifacts WHERE storage_key = ?1)
   AND NOT EXISTS (SELECT 1 FROM tileset_layers WHERE storage_key = ?1)
   AND NOT EXISTS (SELECT 1 FROM blob_garbage WHERE storage_key = ?1 AND state <> 'deleted')
-- name: begin_removal
INSERT INTO blob_garbage (storage_key, state, due_at) VALUES (?1, 'deleting', ?2)
ON CONFLICT (storage_key) DO UPDATE SET state = 'deleting', due_at = excluded.due_at WHERE state = 'deleted'
-- name: integrity
PRAGMA integrity_check(100)
-- name: references
PRAGMA foreign_key_check
-- Rules of our own. Each gives what to say before an id, the id, and what comes after it.
-- name: tilesets_without_version
SELECT 'tileset ', id, ' has no row of its current version ' || current_version
  FROM tilesets t WHERE NOT EXISTS (
    SELECT 1 FROM tileset_versions v WHERE v.tileset_id = t.id AND v.version = t.current_version) LIMIT 100
-- name: versions_without_layers
SELECT 'version ' || version || ' of tileset ', tileset_id, ' has no layers'
  FROM tileset_versions v WHERE NOT EXISTS (
    SELECT 1 FROM tileset_layers l WHERE l.tileset_id = v.tileset_id AND l.version = v.version) LIMIT 100
-- name: miscounted_artifacts
SELECT 'job ', j.id, ' counts ' || j.artifacts_left || ' artifacts, and there are ' ||
       (SELECT count(*) FROM artifacts a WHERE a.job_id = j.id)
  FROM jobs j WHERE j.artifacts_left <> (SELECT count(*) FROM artifacts a WHERE a.job_id = j.id) LIMIT 100
-- name: miscounted_credits
SELECT 'account ', p.account_id, ' has ' || p.used ||
       ' credits used in a period, and the ledger says ' || coalesce(l.credits, 0)
  FROM credit_periods p LEFT JOIN (
    SELECT account_id, period_starts_at, sum(credits) AS credits FROM credit_ledger GROUP BY 1, 2) AS l
    ON l.account_id = p.account_id AND l.period_starts_at = p.starts_at
 WHERE p.used <> coalesce(l.credits, 0) LIMIT 100
