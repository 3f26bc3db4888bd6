-- name: state
SELECT EXISTS (SELECT 1 FROM transfers WHERE run = $1),
       EXISTS (SELECT 1 FROM transfers WHERE run = $1 AND finished_at IS NOT NULL),
       EXISTS (SELECT 1 FROM transfers WHERE run <> $1) OR EXISTS (SELECT 1 FROM accounts)
-- name: begin_run
INSERT INTO transfers (run, begun_at) VALUES ($1, now_ms(NULL)) ON CONFLICT DO NOTHING
-- name: lock
LOCK TABLE accounts, plans, signing_secrets IN EXCLUSIVE MODE
-- name: forget_plans
-- A node that was started here once made the built-in ones.
DELETE FROM plans
-- name: forget_secrets
DELETE FROM signing_secrets
-- name: forget_acts
-- Its own starts are all that it can tell of; triggers that guard rows do not see this.
TRUNCATE audit_log
-- name: count_no_jobs
-- What was counted by day comes with the rest.
ALTER TABLE jobs DISABLE TRIGGER job_is_counted
-- name: count_no_charges
ALTER TABLE credit_ledger DISABLE TRIGGER charge_is_counted
-- name: count_no_uploads
ALTER TABLE assets DISABLE TRIGGER upload_is_counted
-- name: count_jobs
ALTER TABLE jobs ENABLE TRIGGER job_is_counted
-- name: count_charges
ALTER TABLE credit_ledger ENABLE TRIGGER charge_is_counted
-- name: count_uploads
ALTER TABLE assets ENABLE TRIGGER upload_is_counted
-- name: add_secret
INSERT INTO signing_secrets (secret, created_at) VALUES ($1, $2)
-- name: go_on_counting_jobs
SELECT setval(pg_get_serial_sequence('jobs', 'sequence'), coalesce(max(sequence), 1), max(sequence) IS NOT NULL)
  FROM jobs
-- name: go_on_counting_charges
SELECT setval(pg_get_serial_sequence('credit_ledger', 'sequence'), coalesce(max(sequence), 1),
              max(sequence) IS NOT NULL)
  FROM credit_ledger
-- name: go_on_counting_acts
SELECT setval(pg_get_serial_sequence('audit_log', 'sequence'), coalesce(max(sequence), 1), max(sequence) IS NOT NULL)
  FROM audit_log
-- name: make_ready
INSERT INTO queue_ready (account_id, heavy, sequence)
SELECT account_id, heavy, sequence FROM jobs j
 WHERE status = 'queued'
   AND NOT EXISTS (SELECT 1 FROM accounts a WHERE a.id = j.account_id AND a.erasure_begun_at IS NOT NULL)
   AND NOT EXISTS (SELECT 1 FROM queue_delayed d WHERE d.sequence = j.sequence)
   AND (tileset_id IS NULL OR NOT EXISTS (
          SELECT 1 FROM jobs e WHERE e.account_id = j.account_id AND e.tileset_id = j.tileset_id
                                 AND e.status IN ('queued', 'running') AND e.sequence < j.sequence))
-- name: count_queue
-- An account that was being erased has to be erased here: until then it is closed, and its jobs are in no queue.
INSERT INTO queue_accounts (account_id, in_flight, held, closed, next_light, next_heavy)
SELECT a.id,
       (SELECT count(*) FROM jobs j WHERE j.account_id = a.id AND j.status = 'queued' AND a.erasure_begun_at IS NULL),
       a.suspended_at IS NOT NULL, a.erasure_begun_at IS NOT NULL,
       (SELECT min(sequence) FROM queue_ready r WHERE r.account_id = a.id AND NOT heavy AND a.suspended_at IS NULL),
       (SELECT min(sequence) FROM queue_ready r WHERE r.account_id = a.id AND heavy AND a.suspended_at IS NULL)
  FROM accounts a
 WHERE a.suspended_at IS NOT NULL OR EXISTS (SELECT 1 FROM jobs j WHERE j.account_id = a.id AND j.status = 'queued')
-- name: finish_run
UPDATE transfers SET finished_at = now_ms(NULL) WHERE run = $1
-- name: tell_nodes
SELECT note_change(0, '00000000-0000-0000-0000-000000000000')
