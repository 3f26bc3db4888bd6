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
-- name: add_secret
INSERT INTO signing_secrets (secret, created_at) VALUES ($1, $2)
-- name: go_on_counting_jobs
SELECT setval(pg_get_serial_sequence('jobs', 'sequence'), coalesce(max(sequence), 1), max(sequence) IS NOT NULL)
  FROM jobs
-- name: go_on_counting_charges
SELECT setval(pg_get_serial_sequence('credit_ledger', 'sequence'), coalesce(max(sequence), 1),
              max(sequence) IS NOT NULL)
  FROM credit_ledger
-- name: make_ready
INSERT INTO queue_ready (account_id, heavy, sequence)
SELECT account_id, heavy, sequence FROM jobs j
 WHERE status = 'queued' AND NOT EXISTS (SELECT 1 FROM queue_delayed d WHERE d.sequence = j.sequence)
   AND (tileset_id IS NULL OR NOT EXISTS (
          SELECT 1 FROM jobs e WHERE e.account_id = j.account_id AND e.tileset_id = j.tileset_id
                                 AND e.status IN ('queued', 'running') AND e.sequence < j.sequence))
-- name: count_queue
INSERT INTO queue_accounts (account_id, in_flight, next_light, next_heavy)
SELECT a.id, (SELECT count(*) FROM jobs j WHERE j.account_id = a.id AND j.status = 'queued'),
       (SELECT min(sequence) FROM queue_ready r WHERE r.account_id = a.id AND NOT heavy),
       (SELECT min(sequence) FROM queue_ready r WHERE r.account_id = a.id AND heavy)
  FROM accounts a WHERE EXISTS (SELECT 1 FROM jobs j WHERE j.account_id = a.id AND j.status = 'queued')
-- name: finish_run
UPDATE transfers SET finished_at = now_ms(NULL) WHERE run = $1
-- name: tell_nodes
SELECT note_change(0, '00000000-0000-0000-0000-000000000000')
