-- name: note
INSERT INTO audit_log (at, actor, action, account_id, subject, details) VALUES (now_ms($1), $2, $3, $4, $5, $6)
-- name: list
SELECT sequence, at, actor, action, account_id, subject, details FROM audit_log
 WHERE sequence > $1 AND ($2::bigint IS NULL OR at >= $2) AND ($3::uuid IS NULL OR account_id = $3)
 ORDER BY sequence LIMIT $4
