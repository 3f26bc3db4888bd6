-- name: find
SELECT id, account_id, created_at, expires_at, current_version FROM tilesets
 WHERE id = ?1 AND (expires_at IS NULL OR expires_at > ?2)
-- name: list
SELECT id, account_id, created_at, expires_at, current_version FROM tilesets
 WHERE account_id = ?1 AND (expires_at IS NULL OR expires_at > ?2) ORDER BY created_at DESC, id DESC
-- name: owner
SELECT account_id FROM tilesets
 WHERE id = ?1 AND (expires_at IS NULL OR expires_at > ?2)
   AND (?3 = 0 OR EXISTS (SELECT 1 FROM tileset_versions WHERE tileset_id = ?1 AND version = ?3))
-- name: version
SELECT version, format, tile_size, width, height, min_zoom, max_zoom, tile_count, options, created_at
  FROM tileset_versions WHERE tileset_id = ?1 AND version = ?2
-- name: layers
SELECT storage_key, byte_size FROM tileset_layers WHERE tileset_id = ?1 AND version = ?2 ORDER BY position
-- name: insert
INSERT INTO tilesets (id, account_id, current_version, depth, created_at, expires_at) VALUES (?1, ?2, 1, ?3, ?4, ?5)
-- name: advance
UPDATE tilesets SET current_version = ?2, depth = ?3, expires_at = ?4 WHERE id = ?1
-- name: insert_version
INSERT INTO tileset_versions (tileset_id, version, format, tile_size, width, height, min_zoom, max_zoom, tile_count,
                              options, created_at, job_id)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)
-- name: mark_replaced
UPDATE tileset_versions SET replaced_at = ?3 WHERE tileset_id = ?1 AND version = ?2
-- name: insert_layer
INSERT INTO tileset_layers (tileset_id, version, position, storage_key, byte_size) VALUES (?1, ?2, ?3, ?4, ?5)
-- name: clear_layers
DELETE FROM tileset_layers WHERE tileset_id = ?1 AND version = ?2
-- name: set_depth
UPDATE tilesets SET depth = ?3 WHERE id = ?1 AND current_version = ?2
-- name: all_layer_keys
SELECT DISTINCT storage_key FROM tileset_layers WHERE tileset_id = ?1
-- name: remove
DELETE FROM tilesets WHERE id = ?1
-- name: deeper_than
SELECT id, current_version FROM tilesets
 WHERE depth > 1 AND depth > ?1 AND (expires_at IS NULL OR expires_at > ?2) ORDER BY depth DESC LIMIT ?3
-- name: expired
SELECT id FROM tilesets WHERE expires_at <= ?1 ORDER BY expires_at LIMIT ?2
-- name: replaced_versions
SELECT tileset_id, version FROM tileset_versions WHERE replaced_at <= ?1 ORDER BY replaced_at LIMIT ?2
-- name: remove_version
DELETE FROM tileset_versions WHERE tileset_id = ?1 AND version = ?2
