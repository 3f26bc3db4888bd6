-- name: lock
SELECT id, slug, display_name, plan_code, access_source, plan_activated_at, created_at, suspended_at, erasure_begun_at,
       erased_at
  FROM accounts WHERE id = $1 FOR NO KEY UPDATE
-- name: begin
SELECT begin_erasure($1, now_ms($2))
-- name: remove_some
SELECT erase_some($1, $2)
-- name: forget_garbage
DELETE FROM blob_garbage
 WHERE starts_with(storage_key, 'assets/' || $1::uuid || '/') OR starts_with(storage_key, 'artifacts/' || $1::uuid || '/')
    OR starts_with(storage_key, 'tilesets/' || $1::uuid || '/')
-- name: finish
UPDATE accounts SET slug = 'erased-' || id, display_name = '', erased_at = now_ms($2) WHERE id = $1
