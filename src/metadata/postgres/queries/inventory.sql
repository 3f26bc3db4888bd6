-- Blobs as rows name them, in the order of their keys: of each table no more than a page is read.
-- name: size
SELECT count(*), coalesce(sum(size), 0)::bigint FROM (
  SELECT max(byte_size) AS size FROM (
    SELECT storage_key, byte_size FROM assets
    UNION ALL SELECT storage_key, byte_size FROM artifacts
    UNION ALL SELECT storage_key, byte_size FROM tileset_layers) AS named
   GROUP BY storage_key) AS blobs
-- name: blobs
WITH keys AS (
  SELECT DISTINCT storage_key FROM (
    (SELECT DISTINCT storage_key FROM assets WHERE storage_key > $1 ORDER BY storage_key LIMIT $2)
    UNION ALL
    (SELECT DISTINCT storage_key FROM artifacts WHERE storage_key > $1 ORDER BY storage_key LIMIT $2)
    UNION ALL
    (SELECT DISTINCT storage_key FROM tileset_layers WHERE storage_key > $1 ORDER BY storage_key LIMIT $2)) AS next
   ORDER BY storage_key LIMIT $2)
SELECT k.storage_key, greatest(a.byte_size, r.byte_size, l.byte_size),
       coalesce(a.checksum_sha256, r.checksum_sha256, ''),
       (SELECT count(*) FROM assets WHERE storage_key = k.storage_key)
         + (SELECT count(*) FROM artifacts WHERE storage_key = k.storage_key)
         + (SELECT count(*) FROM tileset_layers WHERE storage_key = k.storage_key),
       a.id, a.account_id, r.id, r.account_id, l.tileset_id, l.version, l.account_id
  FROM keys k
  LEFT JOIN LATERAL (
    SELECT * FROM assets WHERE storage_key = k.storage_key ORDER BY id LIMIT 1) AS a ON true
  LEFT JOIN LATERAL (
    SELECT * FROM artifacts WHERE storage_key = k.storage_key ORDER BY id LIMIT 1) AS r ON true
  LEFT JOIN LATERAL (
    SELECT y.*, t.account_id FROM tileset_layers y JOIN tilesets t ON t.id = y.tileset_id
     WHERE y.storage_key = k.storage_key ORDER BY y.version DESC LIMIT 1) AS l ON true
 ORDER BY k.storage_key
-- name: orphans
SELECT key FROM unnest($1::text[]) WITH ORDINALITY AS given (key, position)
 WHERE NOT is_named(key) AND NOT EXISTS (
   SELECT 1 FROM blob_garbage g WHERE g.storage_key = key AND g.state <> 'deleted')
 ORDER BY position
-- name: lock_key
SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0))
-- name: begin_removal
INSERT INTO blob_garbage AS g (storage_key, state, due_at)
SELECT $2, 'deleting', now_ms($1) + $3 WHERE NOT is_named($2)
ON CONFLICT (storage_key) DO UPDATE SET state = 'deleting', due_at = excluded.due_at WHERE g.state = 'deleted'
-- name: unsound_indexes
SELECT 'the index ' || c.relname || ' is not valid: REINDEX INDEX ' || c.relname
  FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_class t ON t.oid = i.indrelid
  JOIN pg_namespace n ON n.oid = t.relnamespace
 WHERE n.nspname = current_schema() AND NOT (i.indisvalid AND i.indisready) LIMIT 100
-- name: unsound_constraints
SELECT 'the constraint ' || conname || ' was never validated: ALTER TABLE ' || conrelid::regclass ||
       ' VALIDATE CONSTRAINT ' || conname
  FROM pg_constraint WHERE connamespace = current_schema()::regnamespace AND NOT convalidated LIMIT 100
-- name: failed_checksums
SELECT checksum_failures || ' pages of the database failed their checksum; the server''s log names them'
  FROM pg_stat_database WHERE datname = current_database() AND checksum_failures > 0
-- name: tilesets_without_version
SELECT 'tileset ' || id || ' has no row of its current version ' || current_version
  FROM tilesets t WHERE NOT EXISTS (
    SELECT 1 FROM tileset_versions v WHERE v.tileset_id = t.id AND v.version = t.current_version) LIMIT 100
-- name: versions_without_layers
SELECT 'version ' || version || ' of tileset ' || tileset_id || ' has no layers'
  FROM tileset_versions v WHERE NOT EXISTS (
    SELECT 1 FROM tileset_layers l WHERE l.tileset_id = v.tileset_id AND l.version = v.version) LIMIT 100
-- name: miscounted_artifacts
SELECT 'job ' || j.id || ' counts ' || j.artifacts_left || ' artifacts, and there are ' || coalesce(a.many, 0)
  FROM jobs j LEFT JOIN (SELECT job_id, count(*) AS many FROM artifacts GROUP BY job_id) AS a ON a.job_id = j.id
 WHERE j.artifacts_left <> coalesce(a.many, 0) LIMIT 100
-- name: miscounted_credits
SELECT 'account ' || p.account_id || ' has ' || p.used || ' credits used in a period, and the ledger says ' ||
       coalesce(l.credits, 0)
  FROM credit_periods p LEFT JOIN (
    SELECT account_id, period_starts_at, sum(credits) AS credits FROM credit_ledger GROUP BY 1, 2) AS l
    ON l.account_id = p.account_id AND l.period_starts_at = p.starts_at
 WHERE p.used <> coalesce(l.credits, 0) LIMIT 100
