-- name: note
INSERT INTO audit_log (at, actor, action, account_id, subject, details) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
-- name: list
SELECT sequence, at, actor, action, account_id, subject, details FROM audit_log
 WHERE sequence > ?1 AND (?2 IS NULL OR at >= ?2) AND (?3 IS NULL OR account_id = ?3) ORDER BY sequence LIMIT ?4
