-- name: insert
INSERT INTO api_keys (id, account_id, name, role_code, hash, created_at, expires_at, networks)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
-- name: find
SELECT id, account_id, name, role_code, created_at, revoked_at, expires_at, last_used_at, networks FROM api_keys
 WHERE id = ?1
-- name: find_by_hash
SELECT id, account_id, name, role_code, created_at, revoked_at, expires_at, last_used_at, networks FROM api_keys
 WHERE hash = ?1
-- name: hashes
SELECT hash FROM api_keys WHERE revoked_at IS NULL
-- name: all
SELECT id, account_id, name, role_code, created_at, revoked_at, expires_at, last_used_at, networks FROM api_keys
 ORDER BY created_at, id
-- name: of_account
SELECT id, account_id, name, role_code, created_at, revoked_at, expires_at, last_used_at, networks FROM api_keys
 WHERE account_id = ?1 ORDER BY created_at, id
-- name: revoke
UPDATE api_keys SET revoked_at = ?2 WHERE id = ?1 AND revoked_at IS NULL
-- name: note_used
UPDATE api_keys SET last_used_at = ?2 WHERE id = ?1 AND (last_used_at IS NULL OR last_used_at + ?3 <= ?2)
