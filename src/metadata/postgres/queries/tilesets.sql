-- Columns of a tileset with one of its versions.
-- name: find
SELECT t.id, t.account_id, t.created_at, t.expires_at, v.version, v.format, v.tile_size, v.width, v.height, v.min_zoom,
       v.max_zoom, v.tile_count, v.options, v.created_at,
       (SELECT array_to_string(array_agg(l.byte_size || ' ' || l.storage_key ORDER BY l.position), E'\n')
          FROM tileset_layers l WHERE l.tileset_id = t.id AND l.version = v.version)
  FROM tilesets t JOIN tileset_versions v ON v.tileset_id = t.id
 WHERE t.id = $1 AND v.version = coalesce($2, t.current_version) AND (t.expires_at IS NULL OR t.expires_at > now_ms($3))
-- name: list
SELECT t.id, t.account_id, t.created_at, t.expires_at, v.version, v.format, v.tile_size, v.width, v.height, v.min_zoom,
       v.max_zoom, v.tile_count, v.options, v.created_at,
       (SELECT array_to_string(array_agg(l.byte_size || ' ' || l.storage_key ORDER BY l.position), E'\n')
          FROM tileset_layers l WHERE l.tileset_id = t.id AND l.version = v.version)
  FROM tilesets t JOIN tileset_versions v ON v.tileset_id = t.id AND v.version = t.current_version
 WHERE t.account_id = $1 AND (t.expires_at IS NULL OR t.expires_at > now_ms($2))
 ORDER BY t.created_at DESC, t.id DESC
-- name: owners
SELECT w.place, t.account_id
  FROM unnest($1::uuid[], $2::bigint[]) WITH ORDINALITY AS w(id, version, place) JOIN tilesets t ON t.id = w.id
 WHERE (t.expires_at IS NULL OR t.expires_at > now_ms($3))
   AND (w.version = 0 OR EXISTS (SELECT FROM tileset_versions v WHERE v.tileset_id = t.id AND v.version = w.version))
-- name: lock
SELECT account_id FROM tilesets WHERE id = $1 AND (expires_at IS NULL OR expires_at > now_ms($2)) FOR UPDATE
-- name: remove
SELECT remove_tileset($1, now_ms($2) + $3)
-- name: deeper_than
SELECT id, current_version FROM tilesets
 WHERE depth > 1 AND depth > $1 AND (expires_at IS NULL OR expires_at > now_ms($2)) ORDER BY depth DESC LIMIT $3
-- name: fold
SELECT fold_layers($1, $2, $3, $4, $5, $6)
