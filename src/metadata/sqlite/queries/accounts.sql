-- name: insert
INSERT INTO accounts (id, slug, display_name, plan_code, access_source, plan_activated_at, created_at)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?6)
-- name: change_plan
UPDATE accounts SET plan_code = ?2, access_source = ?3, plan_activated_at = ?4
 WHERE id = ?1 AND erasure_begun_at IS NULL
-- name: find
SELECT id, slug, display_name, plan_code, access_source, plan_activated_at, created_at, suspended_at,
       erasure_begun_at, erased_at
  FROM accounts WHERE id = ?1
-- name: find_by_slug
SELECT id, slug, display_name, plan_code, access_source, plan_activated_at, created_at, suspended_at,
       erasure_begun_at, erased_at
  FROM accounts WHERE slug = ?1
-- name: all
SELECT id, slug, display_name, plan_code, access_source, plan_activated_at, created_at, suspended_at,
       erasure_begun_at, erased_at
  FROM accounts ORDER BY created_at, id
-- name: any
SELECT EXISTS (SELECT 1 FROM accounts WHERE erased_at IS NULL)
-- name: plan_exists
SELECT 1 FROM plans WHERE code = ?1
-- name: activated_at
SELECT plan_activated_at FROM accounts WHERE id = ?1
-- name: is_open
SELECT 1 FROM accounts WHERE id = ?1 AND erasure_begun_at IS NULL
-- name: suspend
UPDATE accounts SET suspended_at = ?2 WHERE id = ?1
