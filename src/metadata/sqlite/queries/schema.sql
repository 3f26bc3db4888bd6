-- name: version
PRAGMA user_version
-- name: application_id
PRAGMA application_id
-- name: table_count
SELECT count(*) FROM sqlite_schema
-- name: quick_check
PRAGMA quick_check(1)
-- name: can_write
UPDATE change_log SET at = at WHERE sequence = -1
-- name: back_up
VACUUM INTO ?1
