-- name: asset
SELECT delete_asset($1, $2, $3, $4)
-- name: artifact
SELECT delete_artifact($1, $2, $3, $4)
-- name: artifacts_of
SELECT delete_artifacts_of($1, $2, $3, $4)
-- name: tileset
SELECT delete_tileset($1, $2, $3, $4)
-- name: forget_old
DELETE FROM deletions WHERE id IN (
  SELECT id FROM deletions WHERE deleted_at <= now_ms($1) - $3 ORDER BY deleted_at LIMIT $2)
