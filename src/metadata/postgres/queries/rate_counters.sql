-- name: add
-- In the order of the keys, so that nodes that add to the same ones never wait in a ring.
INSERT INTO rate_counters AS r (key, count, ends_at)
SELECT key, count, now_ms($4) + ends_in
  FROM unnest($1::text[], $2::bigint[], $3::bigint[]) AS given (key, count, ends_in) ORDER BY key
ON CONFLICT (key) DO UPDATE SET
  count = CASE WHEN r.ends_at <= now_ms($4) THEN excluded.count ELSE r.count + excluded.count END,
  ends_at = CASE WHEN r.ends_at <= now_ms($4) THEN excluded.ends_at ELSE least(r.ends_at, excluded.ends_at) END
RETURNING key, count, ends_at - now_ms($4)
