-- name: named_blobs
SELECT storage_key, max(byte_size), max(checksum_sha256) FROM (
  SELECT storage_key, byte_size, checksum_sha256 FROM assets
  UNION ALL SELECT storage_key, byte_size, checksum_sha256 FROM artifacts
  UNION ALL SELECT storage_key, byte_size, '' FROM tileset_layers)
 GROUP BY storage_key ORDER BY storage_key
