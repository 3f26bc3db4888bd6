-- name: list
SELECT feature_code, enabled, status, source, provider, add_on_code, cancel_at_period_end
  FROM entitlements WHERE account_id = $1 ORDER BY feature_code
-- name: put
INSERT INTO entitlements (account_id, feature_code, enabled, status, source, provider, add_on_code,
                          cancel_at_period_end)
SELECT id, $2, $3, $4, $5, $6, $7, $8 FROM accounts WHERE id = $1 AND erasure_begun_at IS NULL
ON CONFLICT (account_id, feature_code) DO UPDATE SET
  enabled = excluded.enabled, status = excluded.status, source = excluded.source, provider = excluded.provider,
  add_on_code = excluded.add_on_code, cancel_at_period_end = excluded.cancel_at_period_end
