-- Named leases: one node at a time.
-- name: hold
INSERT INTO named_leases (name, holder, expires_at, since) VALUES (?1, ?2, ?3, ?4)
ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, expires_at = excluded.expires_at, since = excluded.since
 WHERE holder = excluded.holder OR expires_at <= ?4 OR since > ?5
-- name: drop
DELETE FROM named_leases WHERE name = ?1 AND holder = ?2
