-- The change log: what other processes' caches must forget. `kind` is Change::Kind.
-- name: note
INSERT INTO change_log (kind, id, at) VALUES (?1, ?2, ?3)
-- name: newest
SELECT coalesce(max(sequence), 0) FROM change_log
-- name: since
SELECT sequence, kind, id FROM change_log WHERE sequence > ?1 ORDER BY sequence
-- name: data_version
PRAGMA data_version
-- name: trim
DELETE FROM change_log WHERE sequence <= ?1
