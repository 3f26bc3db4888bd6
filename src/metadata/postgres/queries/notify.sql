-- name: jobs
NOTIFY tessera_jobs
-- name: job_changes
SELECT pg_notify('tessera_job_changes', $1)
-- name: change
SELECT note_change($1, $2)
