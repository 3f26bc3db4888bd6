-- name: all
SELECT secret, created_at FROM signing_secrets ORDER BY created_at DESC, sequence DESC
-- name: add
SELECT add_signing_secret($1, $2, $3)
