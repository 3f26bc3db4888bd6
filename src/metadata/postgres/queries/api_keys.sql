-- name: insert
INSERT INTO api_keys (id, account_id, name, role_code, hash, created_at)
SELECT $1, id, $3, $4, $5, now_ms($6) FROM accounts WHERE id = $2
RETURNING id, account_id, name, role_code, created_at, revoked_at
-- name: find_by_hash
SELECT id, account_id, name, role_code, created_at, revoked_at FROM api_keys WHERE hash = $1
-- name: all
SELECT id, account_id, name, role_code, created_at, revoked_at FROM api_keys ORDER BY created_at, id
-- name: of_account
SELECT id, account_id, name, role_code, created_at, revoked_at FROM api_keys WHERE account_id = $1
 ORDER BY created_at, id
-- name: revoke
UPDATE api_keys SET revoked_at = coalesce(revoked_at, now_ms($2)) WHERE id = $1
RETURNING id, account_id, name, role_code, created_at, revoked_at
