-- name: lock
SELECT pg_advisory_lock(6081273644)
-- name: unlock
SELECT pg_advisory_unlock(6081273644)
-- name: is_there
SELECT to_regclass('schema_migrations') IS NOT NULL
-- name: make_table
CREATE TABLE IF NOT EXISTS schema_migrations (
  version bigint PRIMARY KEY,
  name text NOT NULL,
  applied_at timestamptz NOT NULL DEFAULT now()
)
-- name: version
SELECT coalesce(max(version), 0) FROM schema_migrations
-- name: is_read_only
SELECT pg_is_in_recovery() OR current_setting('transaction_read_only')::boolean
-- name: ping
SELECT 1
