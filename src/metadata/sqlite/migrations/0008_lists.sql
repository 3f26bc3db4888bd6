-- Lists of what an account has, newest first: ids rise with time, so that a page is a place in an index, however many rows
-- lie before it. A job's index says its status and operation too; a list of all is put together from those few ranges.
CREATE INDEX assets_of_account ON assets (account_id, id);
CREATE INDEX tilesets_in_order ON tilesets (account_id, id);
CREATE INDEX jobs_of_account ON jobs (account_id, status, operation, id);
CREATE INDEX jobs_of_asset ON jobs (asset_id, id) WHERE asset_id IS NOT NULL;
CREATE INDEX jobs_on_tileset ON jobs (tileset_id, id) WHERE tileset_id IS NOT NULL;

-- The job that made a version; a job is on the tileset that it made, too. Versions that are there already are looked up in
-- the results of the jobs that still are.
ALTER TABLE tileset_versions ADD COLUMN job_id BLOB;
CREATE TABLE versions_made AS
  SELECT id AS job_id, upper(replace(json_extract(result, '$.tileset_id'), '-', '')) AS tileset,
         json_extract(result, '$.version') AS version
    FROM jobs WHERE result <> '{}';
CREATE INDEX versions_made_by_name ON versions_made (tileset, version);
UPDATE tileset_versions SET job_id = (
  SELECT m.job_id FROM versions_made m WHERE m.tileset = hex(tileset_id) AND m.version = tileset_versions.version LIMIT 1);
DROP TABLE versions_made;
UPDATE jobs SET tileset_id = (SELECT v.tileset_id FROM tileset_versions v WHERE v.job_id = jobs.id)
 WHERE tileset_id IS NULL AND id IN (SELECT job_id FROM tileset_versions);

-- A job that waits may be cancelled: then it fails without ever having run.
DROP TRIGGER jobs_change_status_as_drawn;
CREATE TRIGGER jobs_change_status_as_drawn BEFORE UPDATE OF status ON jobs
WHEN NOT (OLD.status = 'queued' AND NEW.status = 'running'
       OR OLD.status = 'queued' AND NEW.status = 'failed' AND NEW.error_code = 'cancelled'
       OR OLD.status = 'running' AND NEW.status IN ('queued', 'succeeded', 'failed'))
BEGIN SELECT raise(ABORT, 'a job can''t go from this status to that one'); END;

-- What accounts have deleted of late: a deletion that is asked for again has been done, and is not a mistake.
CREATE TABLE deletions (
  id BLOB PRIMARY KEY CHECK (length(id) = 16),
  account_id BLOB NOT NULL,
  deleted_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX deletions_by_age ON deletions (deleted_at);
