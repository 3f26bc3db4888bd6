-- name: changed_since
SELECT c.account_id, c.id, c.status, c.at
  FROM unnest($1::uuid[]) AS a (id), LATERAL (
    (SELECT account_id, id, status, updated_at AS at FROM jobs
      WHERE account_id = a.id AND status = 'queued' AND updated_at >= $2 LIMIT $3)
    UNION ALL
    (SELECT account_id, id, status, completed_at FROM jobs
      WHERE account_id = a.id AND completed_at >= $2 AND completed_at IS NOT NULL LIMIT $3)) AS c
UNION ALL
SELECT j.account_id, j.id, j.status, j.updated_at
  FROM queue_leases l JOIN jobs j ON j.sequence = l.sequence
 WHERE l.account_id = ANY ($1::uuid[]) AND j.updated_at >= $2
-- name: now
SELECT now_ms($1)
-- name: find_all
SELECT id, account_id, asset_id, tileset_id, operation, status, options, result, progress, heavy, credits, queued_at,
       started_at, completed_at, updated_at, attempt_count, max_attempts, error_code, error_message, request_id,
       trace
  FROM jobs WHERE id = ANY ($1::uuid[])
-- name: artifacts_of
SELECT id, account_id, job_id, kind, content_type, byte_size, width, height, checksum_sha256, metadata, storage_key,
       filename, created_at, expires_at
  FROM artifacts WHERE job_id = ANY ($1::uuid[]) AND (expires_at IS NULL OR expires_at > now_ms($2)) ORDER BY position
-- name: in_flight
SELECT id FROM jobs WHERE id = ANY ($1::uuid[]) AND status IN ('queued', 'running')
