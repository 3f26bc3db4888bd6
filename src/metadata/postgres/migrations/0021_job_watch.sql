-- What of an account's jobs changed since: for event streams. Running jobs are found by their leases. Progress is
-- written without touching the first index, but no longer in place: it is written some times a minute at most.
CREATE INDEX jobs_queued_changes ON jobs (account_id, updated_at) WHERE status = 'queued';
CREATE INDEX jobs_ended_changes ON jobs (account_id, completed_at) WHERE completed_at IS NOT NULL;
