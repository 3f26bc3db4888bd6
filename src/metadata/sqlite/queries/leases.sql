-- Named leases: one node at a time.
-- name: hold
INSERT INTO named_leases (name, holder, expires_at, since) VALUES (?1, ?2, ?3, ?4)
ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, expires_at = excluded.expires_at, since = excluded.since
 WHERE holder = excluded.holder OR expires_at <= ?4 OR since > ?5
-- name: forget_keepers
DELETE FROM named_leases WHERE name >= 'keep_blobs:' AND name < 'keep_blobs;' AND expires_at <= ?1
-- name: blobs_are_kept
SELECT EXISTS (SELECT 1 FROM named_leases WHERE name >= 'keep_blobs:' AND name < 'keep_blobs;')
-- name: drop
DELETE FROM named_leases WHERE name = ?1 AND holder = ?2
