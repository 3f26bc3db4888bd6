-- name: insert
INSERT INTO api_keys (id, account_id, name, role_code, hash, created_at, expires_at, networks)
SELECT $1, id, $3, $4, $5, now_ms($6), $7, $8 FROM accounts WHERE id = $2 AND erasure_begun_at IS NULL
RETURNING id, account_id, name, role_code, created_at, revoked_at, expires_at, last_used_at, networks
-- name: find_by_hash
SELECT id, account_id, name, role_code, created_at, revoked_at, expires_at, last_used_at, networks FROM api_keys
 WHERE hash = $1
-- name: hashes
SELECT hash FROM api_keys WHERE revoked_at IS NULL
-- name: all
SELECT id, account_id, name, role_code, created_at, revoked_at, expires_at, last_used_at, networks FROM api_keys
 ORDER BY created_at, id
-- name: of_account
SELECT id, account_id, name, role_code, created_at, revoked_at, expires_at, last_used_at, networks FROM api_keys
 WHERE account_id = $1 ORDER BY created_at, id
-- name: lock
SELECT id, account_id, name, role_code, created_at, revoked_at, expires_at, last_used_at, networks FROM api_keys
 WHERE id = $1 FOR UPDATE
-- name: revoke
UPDATE api_keys SET revoked_at = now_ms($2) WHERE id = $1
RETURNING id, account_id, name, role_code, created_at, revoked_at, expires_at, last_used_at, networks
-- name: note_used
-- In the order of the keys, so that nodes that note the same ones never wait in a ring.
WITH used AS (
  SELECT k.id, u.at FROM unnest($1::uuid[], $2::bigint[]) AS u (id, at) JOIN api_keys k ON k.id = u.id
   WHERE k.last_used_at IS NULL OR k.last_used_at + $3 <= u.at ORDER BY k.id FOR UPDATE OF k)
UPDATE api_keys SET last_used_at = used.at FROM used WHERE api_keys.id = used.id
