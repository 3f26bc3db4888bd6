-- name: jobs
NOTIFY tessera_jobs
-- name: change
SELECT note_change($1, $2)
