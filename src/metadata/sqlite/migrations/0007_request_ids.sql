-- The X-Request-ID of the request that made the job: whoever works on it, wherever and whenever, names it in the log.
ALTER TABLE jobs ADD COLUMN request_id TEXT NOT NULL DEFAULT '';
