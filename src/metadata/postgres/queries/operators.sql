-- name: insert
INSERT INTO operators (id, name, password, created_at, password_changed_at) VALUES ($1, $2, $3, now_ms($4), now_ms($4))
RETURNING id, name, password, created_at, password_changed_at, signed_in_at
-- name: list
SELECT id, name, password, created_at, password_changed_at, signed_in_at FROM operators ORDER BY name
-- name: find
SELECT id, name, password, created_at, password_changed_at, signed_in_at FROM operators WHERE name = $1
-- name: change_password
UPDATE operators SET password = $2, password_changed_at = now_ms($3) WHERE name = $1
RETURNING id, name, password, created_at, password_changed_at, signed_in_at
-- name: remove
DELETE FROM operators WHERE name = $1
-- The row is locked: a password that is changed at the same moment ends this session, or comes before it.
-- name: has_password
SELECT name FROM operators WHERE id = $1 AND password = $2 FOR UPDATE
-- name: signed_in
UPDATE operators SET signed_in_at = now_ms($2) WHERE id = $1
-- name: remove_expired
DELETE FROM operator_sessions WHERE expires_at <= now_ms($1)
-- name: open
INSERT INTO operator_sessions (id, operator_id, token_hash, created_at, last_used_at, expires_at, address, user_agent)
VALUES ($1, $2, $3, now_ms($4), now_ms($4), now_ms($4) + $5, $6, $7)
-- name: session
SELECT s.id, s.operator_id, o.name, s.created_at, s.last_used_at, s.expires_at, s.address, s.user_agent,
       now_ms($2) - s.last_used_at
  FROM operator_sessions s JOIN operators o ON o.id = s.operator_id
 WHERE s.token_hash = $1 AND s.expires_at > now_ms($2) AND s.last_used_at > now_ms($2) - $3
-- name: note_used
UPDATE operator_sessions SET last_used_at = now_ms($2) WHERE id = $1 AND last_used_at < now_ms($2)
RETURNING last_used_at
-- name: sessions
SELECT s.id, s.operator_id, o.name, s.created_at, s.last_used_at, s.expires_at, s.address, s.user_agent
  FROM operator_sessions s JOIN operators o ON o.id = s.operator_id
 WHERE ($1::uuid IS NULL OR s.operator_id = $1) AND s.expires_at > now_ms($2) AND s.last_used_at > now_ms($2) - $3
 ORDER BY s.id DESC
-- name: name_of
SELECT name FROM operators WHERE id = $1
-- name: end_session
DELETE FROM operator_sessions WHERE id = $2 AND operator_id = $1
-- name: end_sessions
DELETE FROM operator_sessions WHERE operator_id = $1 AND ($2::uuid IS NULL OR id <> $2)
-- name: say
INSERT INTO nodes (name, role, version, started_at, seen_at, report) VALUES ($1, $2, $3, $4, now_ms($5), $6)
ON CONFLICT (name) DO UPDATE SET seen_at = excluded.seen_at, report = excluded.report
-- name: forget_nodes
DELETE FROM nodes WHERE seen_at < now_ms($1) - $2
-- name: nodes
SELECT name, role, version, started_at, report, seen_at, now_ms($1) - seen_at FROM nodes WHERE seen_at >= now_ms($1) - $2
 ORDER BY started_at DESC, name
-- name: leave
DELETE FROM nodes WHERE name = $1
