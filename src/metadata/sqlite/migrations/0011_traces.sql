-- Where in a distributed trace the request is that made the job, so that whoever works on it, wherever and whenever, goes on
-- with that trace.
ALTER TABLE jobs ADD COLUMN trace TEXT;
