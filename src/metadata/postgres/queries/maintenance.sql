-- name: remove_assets
WITH gone AS (
  DELETE FROM assets WHERE id IN (
    SELECT id FROM assets WHERE expires_at <= now_ms($1) ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED)
  RETURNING storage_key)
SELECT count(*), count(discard_blob(storage_key, now_ms($1) + $3)) FROM (
  SELECT storage_key FROM gone ORDER BY storage_key) AS sorted
-- name: remove_artifacts
WITH gone AS (
  DELETE FROM artifacts WHERE id IN (
    SELECT id FROM artifacts WHERE expires_at <= now_ms($1) ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED)
  RETURNING storage_key, job_id),
counted AS (
  UPDATE jobs SET artifacts_left = artifacts_left - g.many
    FROM (SELECT job_id, count(*)::integer AS many FROM gone GROUP BY job_id) AS g WHERE jobs.id = g.job_id)
SELECT count(*), count(discard_blob(storage_key, now_ms($1) + $3)) FROM (
  SELECT storage_key FROM gone ORDER BY storage_key) AS sorted
-- name: remove_tilesets
SELECT count(*), count(remove_tileset(id, now_ms($1) + $3)) FROM (
  SELECT id FROM tilesets WHERE expires_at <= now_ms($1) ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED) AS old
-- name: remove_versions
WITH gone AS (
  DELETE FROM tileset_versions WHERE (tileset_id, version) IN (
    SELECT tileset_id, version FROM tileset_versions WHERE replaced_at <= now_ms($1) - $4
     ORDER BY replaced_at LIMIT $2 FOR UPDATE SKIP LOCKED)
  RETURNING tileset_id, version),
layers AS (
  SELECT DISTINCT l.storage_key FROM tileset_layers l JOIN gone g USING (tileset_id, version) ORDER BY 1)
SELECT (SELECT count(*) FROM gone), count(discard_blob(storage_key, now_ms($1) + $3)) FROM layers
-- name: remove_idempotency_keys
DELETE FROM idempotency_keys WHERE (account_id, key) IN (
  SELECT account_id, key FROM idempotency_keys WHERE created_at <= now_ms($1) - $3 ORDER BY created_at LIMIT $2)
-- name: remove_tombstones
DELETE FROM blob_garbage WHERE storage_key IN (
  SELECT storage_key FROM blob_garbage WHERE state = 'deleted' AND due_at <= now_ms($1) ORDER BY due_at LIMIT $2)
-- name: remove_rate_counters
DELETE FROM rate_counters WHERE key IN (
  SELECT key FROM rate_counters WHERE ends_at <= now_ms($1) ORDER BY ends_at LIMIT $2 FOR UPDATE SKIP LOCKED)
-- name: remove_ended_jobs
DELETE FROM jobs WHERE sequence IN (
  SELECT sequence FROM jobs
   WHERE completed_at < least($2, now_ms($1) - $4) AND completed_at IS NOT NULL AND artifacts_left = 0
   ORDER BY completed_at LIMIT $3)
-- name: add_garbage
SELECT discard_blob(key, now_ms($1) + $3) FROM (SELECT DISTINCT key FROM unnest($2::text[]) AS key ORDER BY 1) AS sorted
 WHERE NOT is_named(key)
-- name: unnamed
SELECT key FROM unnest($1::text[]) WITH ORDINALITY AS given (key, position) WHERE NOT is_named(key) ORDER BY position
-- name: begin_blob_deletion
WITH past AS (DELETE FROM named_leases WHERE starts_with(name, 'keep_blobs:') AND expires_at <= now_ms($1))
SELECT begin_blob_deletion($1, $2, $3)
 WHERE NOT EXISTS (SELECT 1 FROM named_leases WHERE starts_with(name, 'keep_blobs:') AND expires_at > now_ms($1))
-- name: finish_blob_deletion
UPDATE blob_garbage SET state = 'deleted', due_at = now_ms($1) + $3, token = $4
 WHERE storage_key = ANY ($2::text[]) AND state = 'deleting'
-- name: hold_lease
INSERT INTO named_leases AS l (name, holder, expires_at, since) VALUES ($1, $2, now_ms($4) + $3, now_ms($4))
ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, expires_at = excluded.expires_at, since = excluded.since
 WHERE l.holder = excluded.holder OR l.expires_at <= excluded.since OR l.since > excluded.since + 5000
-- name: drop_lease
DELETE FROM named_leases WHERE name = $1 AND holder = $2
