-- name: all
SELECT code, display_name, description, status, is_public, billing_amount_minor, billing_interval,
       included_processing_credits
  FROM plans ORDER BY position, code
-- name: find
SELECT code, display_name, description, status, is_public, billing_amount_minor, billing_interval,
       included_processing_credits
  FROM plans WHERE code = $1
-- name: limits
SELECT name, value FROM plan_limits WHERE plan_code = $1
-- name: lock
LOCK TABLE plans IN SHARE ROW EXCLUSIVE MODE
-- name: retire_all
UPDATE plans SET status = 'retired', is_public = false, position = 1000000
-- name: put
INSERT INTO plans (code, position, display_name, description, status, is_public, billing_amount_minor,
                   billing_interval, included_processing_credits)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
ON CONFLICT (code) DO UPDATE SET
  position = excluded.position, display_name = excluded.display_name, description = excluded.description,
  status = excluded.status, is_public = excluded.is_public, billing_amount_minor = excluded.billing_amount_minor,
  billing_interval = excluded.billing_interval, included_processing_credits = excluded.included_processing_credits
-- name: clear_limits
DELETE FROM plan_limits WHERE plan_code = $1
-- name: put_limit
INSERT INTO plan_limits (plan_code, name, value) VALUES ($1, $2, $3)
-- name: remove_unused
DELETE FROM plans WHERE position = 1000000 AND code NOT IN (SELECT plan_code FROM accounts)
