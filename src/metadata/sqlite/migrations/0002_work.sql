-- Assets, jobs, the queue, artifacts, tilesets, and blobs that nothing names any more.

CREATE TABLE assets (
  id BLOB PRIMARY KEY CHECK (length(id) = 16),
  account_id BLOB NOT NULL REFERENCES accounts (id),
  source_type TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status = 'ready'),
  original_filename TEXT NOT NULL,
  format TEXT NOT NULL,
  width INTEGER NOT NULL,
  height INTEGER NOT NULL,
  pages INTEGER NOT NULL,
  has_alpha INTEGER NOT NULL CHECK (has_alpha IN (0, 1)),
  bits_per_sample INTEGER NOT NULL,
  colour_space TEXT NOT NULL,
  checksum_sha256 TEXT NOT NULL,
  byte_size INTEGER NOT NULL CHECK (byte_size >= 0),
  storage_key TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX assets_by_blob ON assets (storage_key);
CREATE INDEX assets_by_expiry ON assets (expires_at) WHERE expires_at IS NOT NULL;

-- `sequence` is the order of acceptance. `claim` counts claims and fences: a worker that names an older one has lost
-- its lease. `artifacts_left` counts those not yet removed.
CREATE TABLE jobs (
  sequence INTEGER PRIMARY KEY AUTOINCREMENT,
  id BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
  account_id BLOB NOT NULL REFERENCES accounts (id),
  asset_id BLOB,
  tileset_id BLOB,
  operation TEXT NOT NULL,
  status TEXT NOT NULL DEFAULT 'queued' CHECK (status IN ('queued', 'running', 'succeeded', 'failed')),
  options TEXT NOT NULL,
  result TEXT NOT NULL DEFAULT '{}',
  progress REAL NOT NULL DEFAULT 0 CHECK (progress BETWEEN 0 AND 1),
  heavy INTEGER NOT NULL CHECK (heavy IN (0, 1)),
  credits INTEGER NOT NULL CHECK (credits >= 0),
  period_starts_at INTEGER NOT NULL,
  queued_at INTEGER NOT NULL,
  started_at INTEGER,
  completed_at INTEGER,
  updated_at INTEGER NOT NULL,
  attempt_count INTEGER NOT NULL DEFAULT 0,
  max_attempts INTEGER NOT NULL CHECK (max_attempts >= 1),
  claim INTEGER NOT NULL DEFAULT 0,
  error_code TEXT,
  error_message TEXT,
  artifacts_left INTEGER NOT NULL DEFAULT 0 CHECK (artifacts_left >= 0),
  CHECK (attempt_count BETWEEN 0 AND max_attempts),
  CHECK (status <> 'running' OR (started_at IS NOT NULL AND attempt_count >= 1 AND claim >= 1)),
  CHECK ((status IN ('succeeded', 'failed')) = (completed_at IS NOT NULL)),
  CHECK ((status = 'failed') = (error_code IS NOT NULL)),
  CHECK ((error_code IS NULL) = (error_message IS NULL)),
  CHECK (status = 'succeeded' OR result = '{}')
) STRICT;
CREATE INDEX jobs_of_tileset ON jobs (account_id, tileset_id, sequence)
  WHERE tileset_id IS NOT NULL AND status IN ('queued', 'running');
CREATE INDEX jobs_ended ON jobs (completed_at) WHERE completed_at IS NOT NULL AND artifacts_left = 0;
CREATE TRIGGER jobs_change_status_as_drawn BEFORE UPDATE OF status ON jobs
WHEN NOT (OLD.status = 'queued' AND NEW.status = 'running'
       OR OLD.status = 'running' AND NEW.status IN ('queued', 'succeeded', 'failed'))
BEGIN SELECT raise(ABORT, 'a job can''t go from this status to that one'); END;

CREATE TABLE idempotency_keys (
  account_id BLOB NOT NULL REFERENCES accounts (id),
  key TEXT NOT NULL,
  fingerprint BLOB NOT NULL CHECK (length(fingerprint) = 32),
  job_id BLOB NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (account_id, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at);

-- Jobs that could be claimed now: not those that wait for a retry or for an earlier job on their tileset.
CREATE TABLE queue_ready (
  account_id BLOB NOT NULL,
  heavy INTEGER NOT NULL,
  sequence INTEGER NOT NULL,
  PRIMARY KEY (account_id, heavy, sequence)
) STRICT, WITHOUT ROWID;

-- One row an account, so that a claim finds the account whose turn it is and its oldest job by two index steps,
-- however long the queue is.
CREATE TABLE queue_accounts (
  account_id BLOB PRIMARY KEY REFERENCES accounts (id),
  in_flight INTEGER NOT NULL DEFAULT 0 CHECK (in_flight >= running),
  running INTEGER NOT NULL DEFAULT 0 CHECK (running >= 0),
  next_light INTEGER,
  next_heavy INTEGER,
  next_any INTEGER GENERATED ALWAYS AS (
    CASE WHEN next_light IS NULL THEN next_heavy
         WHEN next_heavy IS NULL THEN next_light
         ELSE min(next_light, next_heavy) END) VIRTUAL
) STRICT, WITHOUT ROWID;
CREATE INDEX queue_accounts_light ON queue_accounts (running, next_light) WHERE next_light IS NOT NULL;
CREATE INDEX queue_accounts_any ON queue_accounts (running, next_any) WHERE next_any IS NOT NULL;

-- `since` is when the waiting began. One that lies in the future tells that the clock was turned back.
CREATE TABLE queue_delayed (
  sequence INTEGER PRIMARY KEY REFERENCES jobs (sequence),
  available_at INTEGER NOT NULL,
  since INTEGER NOT NULL
) STRICT;
CREATE INDEX queue_delayed_by_time ON queue_delayed (available_at);
CREATE INDEX queue_delayed_by_since ON queue_delayed (since);

CREATE TABLE queue_leases (
  sequence INTEGER PRIMARY KEY REFERENCES jobs (sequence),
  worker TEXT NOT NULL,
  expires_at INTEGER NOT NULL,
  since INTEGER NOT NULL
) STRICT;
CREATE INDEX queue_leases_by_expiry ON queue_leases (expires_at);
CREATE INDEX queue_leases_by_since ON queue_leases (since);

CREATE TABLE artifacts (
  id BLOB PRIMARY KEY CHECK (length(id) = 16),
  account_id BLOB NOT NULL REFERENCES accounts (id),
  job_id BLOB NOT NULL,
  position INTEGER NOT NULL,
  kind TEXT NOT NULL,
  content_type TEXT NOT NULL,
  byte_size INTEGER NOT NULL CHECK (byte_size >= 0),
  width INTEGER NOT NULL,
  height INTEGER NOT NULL,
  checksum_sha256 TEXT NOT NULL,
  metadata TEXT NOT NULL,
  storage_key TEXT NOT NULL,
  filename TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX artifacts_of_job ON artifacts (job_id, position);
CREATE INDEX artifacts_by_blob ON artifacts (storage_key);
CREATE INDEX artifacts_by_expiry ON artifacts (expires_at) WHERE expires_at IS NOT NULL;

CREATE TABLE tilesets (
  id BLOB PRIMARY KEY CHECK (length(id) = 16),
  account_id BLOB NOT NULL REFERENCES accounts (id),
  current_version INTEGER NOT NULL CHECK (current_version >= 1),
  depth INTEGER NOT NULL CHECK (depth >= 1), -- layers of the current version
  created_at INTEGER NOT NULL,
  expires_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX tilesets_of_account ON tilesets (account_id, created_at);
CREATE INDEX tilesets_by_expiry ON tilesets (expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX tilesets_by_depth ON tilesets (depth) WHERE depth > 1;

CREATE TABLE tileset_versions (
  tileset_id BLOB NOT NULL REFERENCES tilesets (id) ON DELETE CASCADE,
  version INTEGER NOT NULL CHECK (version >= 1),
  format TEXT NOT NULL,
  tile_size INTEGER NOT NULL,
  width INTEGER NOT NULL,
  height INTEGER NOT NULL,
  min_zoom INTEGER NOT NULL,
  max_zoom INTEGER NOT NULL,
  tile_count INTEGER NOT NULL,
  options TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  replaced_at INTEGER,
  PRIMARY KEY (tileset_id, version)
) STRICT, WITHOUT ROWID;
CREATE INDEX tileset_versions_replaced ON tileset_versions (replaced_at) WHERE replaced_at IS NOT NULL;

CREATE TABLE tileset_layers (
  tileset_id BLOB NOT NULL,
  version INTEGER NOT NULL,
  position INTEGER NOT NULL CHECK (position >= 0), -- 0 is the bottom
  storage_key TEXT NOT NULL,
  byte_size INTEGER NOT NULL,
  PRIMARY KEY (tileset_id, version, position),
  FOREIGN KEY (tileset_id, version) REFERENCES tileset_versions (tileset_id, version) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE INDEX tileset_layers_by_blob ON tileset_layers (storage_key);

-- waiting → deleting → deleted, then the row goes after a while. `due_at` is when the next step may be taken.
-- A name that comes back while it waits takes it off this list; while it is being deleted it is refused; after that
-- the blob must be written anew, which `token` proves.
CREATE TABLE blob_garbage (
  storage_key TEXT PRIMARY KEY,
  state TEXT NOT NULL CHECK (state IN ('waiting', 'deleting', 'deleted')),
  due_at INTEGER NOT NULL,
  token INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;
CREATE INDEX blob_garbage_by_time ON blob_garbage (state, due_at);

CREATE TABLE named_leases (
  name TEXT PRIMARY KEY,
  holder TEXT NOT NULL,
  expires_at INTEGER NOT NULL,
  since INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
