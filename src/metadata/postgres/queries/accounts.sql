-- name: insert
INSERT INTO accounts (id, slug, display_name, plan_code, access_source, plan_activated_at, created_at)
VALUES ($1, $2, $3, $4, $5, now_ms($6), now_ms($6))
RETURNING id, slug, display_name, plan_code, access_source, plan_activated_at, created_at, suspended_at,
          erasure_begun_at, erased_at
-- name: change_plan
UPDATE accounts SET plan_code = $2, access_source = $3, plan_activated_at = now_ms($4)
 WHERE id = $1 AND erasure_begun_at IS NULL
RETURNING id, slug, display_name, plan_code, access_source, plan_activated_at, created_at, suspended_at,
          erasure_begun_at, erased_at
-- name: find
SELECT id, slug, display_name, plan_code, access_source, plan_activated_at, created_at, suspended_at,
       erasure_begun_at, erased_at
  FROM accounts WHERE id = $1
-- name: find_by_slug
SELECT id, slug, display_name, plan_code, access_source, plan_activated_at, created_at, suspended_at,
       erasure_begun_at, erased_at
  FROM accounts WHERE slug = $1
-- name: all
SELECT id, slug, display_name, plan_code, access_source, plan_activated_at, created_at, suspended_at,
       erasure_begun_at, erased_at
  FROM accounts ORDER BY created_at, id
-- name: any
SELECT EXISTS (SELECT 1 FROM accounts WHERE erased_at IS NULL)
-- name: lock_plan
SELECT 1 FROM plans WHERE code = $1 FOR SHARE
-- name: suspend
WITH held AS (SELECT hold_account($1, now_ms($2)))
UPDATE accounts SET suspended_at = now_ms($2) FROM held WHERE id = $1
-- name: resume
WITH free AS (SELECT let_account_go($1))
UPDATE accounts SET suspended_at = NULL FROM free WHERE id = $1
