-- Assets, jobs, the queue, artifacts, tilesets, and blobs that nothing names any more. The tables are those of the
-- embedded store; what differs is that several nodes write at once. Whoever changes an account's part of the queue
-- first locks its row in queue_accounts, and waits for such a lock only while holding none: so nobody waits in a ring.

CREATE TABLE assets (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES accounts (id),
  source_type text NOT NULL,
  status text NOT NULL CHECK (status = 'ready'),
  original_filename text NOT NULL,
  format text NOT NULL,
  width bigint NOT NULL,
  height bigint NOT NULL,
  pages integer NOT NULL,
  has_alpha boolean NOT NULL,
  bits_per_sample integer NOT NULL,
  colour_space text NOT NULL,
  checksum_sha256 text NOT NULL,
  byte_size bigint NOT NULL CHECK (byte_size >= 0),
  storage_key text NOT NULL,
  created_at bigint NOT NULL,
  expires_at bigint
);
CREATE INDEX assets_by_blob ON assets (storage_key);
CREATE INDEX assets_by_expiry ON assets (expires_at) WHERE expires_at IS NOT NULL;

-- `sequence` is the order of acceptance: it is given while the account's row is locked. `claim` counts claims and
-- fences: a worker that names an older one has lost its lease. `artifacts_left` counts those not yet removed.
CREATE TABLE jobs (
  sequence bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id uuid NOT NULL UNIQUE,
  account_id uuid NOT NULL REFERENCES accounts (id),
  asset_id uuid,
  tileset_id uuid,
  operation text NOT NULL,
  status text NOT NULL DEFAULT 'queued' CHECK (status IN ('queued', 'running', 'succeeded', 'failed')),
  options text NOT NULL,
  result text NOT NULL DEFAULT '{}',
  progress double precision NOT NULL DEFAULT 0 CHECK (progress BETWEEN 0 AND 1),
  heavy boolean NOT NULL,
  credits bigint NOT NULL CHECK (credits >= 0),
  period_starts_at bigint NOT NULL,
  queued_at bigint NOT NULL,
  started_at bigint,
  completed_at bigint,
  updated_at bigint NOT NULL,
  attempt_count integer NOT NULL DEFAULT 0,
  max_attempts integer NOT NULL CHECK (max_attempts >= 1),
  claim bigint NOT NULL DEFAULT 0,
  error_code text,
  error_message text,
  artifacts_left integer NOT NULL DEFAULT 0 CHECK (artifacts_left >= 0),
  CHECK (attempt_count BETWEEN 0 AND max_attempts),
  CHECK (status <> 'running' OR (started_at IS NOT NULL AND attempt_count >= 1 AND claim >= 1)),
  CHECK ((status IN ('succeeded', 'failed')) = (completed_at IS NOT NULL)),
  CHECK ((status = 'failed') = (error_code IS NOT NULL)),
  CHECK ((error_code IS NULL) = (error_message IS NULL)),
  CHECK (status = 'succeeded' OR result = '{}')
) WITH (fillfactor = 80);
CREATE INDEX jobs_of_tileset ON jobs (account_id, tileset_id, sequence)
  WHERE tileset_id IS NOT NULL AND status IN ('queued', 'running');
CREATE INDEX jobs_ended ON jobs (completed_at) WHERE completed_at IS NOT NULL AND artifacts_left = 0;
CREATE FUNCTION refuse_undrawn_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a job can''t go from % to %', OLD.status, NEW.status;
END $$;
CREATE TRIGGER jobs_change_status_as_drawn BEFORE UPDATE OF status ON jobs FOR EACH ROW
  WHEN (NOT (OLD.status = 'queued' AND NEW.status = 'running'
          OR OLD.status = 'running' AND NEW.status IN ('queued', 'succeeded', 'failed')))
  EXECUTE FUNCTION refuse_undrawn_change();

CREATE TABLE idempotency_keys (
  account_id uuid NOT NULL REFERENCES accounts (id),
  key text NOT NULL,
  fingerprint bytea NOT NULL CHECK (length(fingerprint) = 32),
  job_id uuid NOT NULL,
  created_at bigint NOT NULL,
  PRIMARY KEY (account_id, key)
);
CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at);

-- Jobs that could be claimed now: not those that wait for a retry or for an earlier job on their tileset.
CREATE TABLE queue_ready (
  account_id uuid NOT NULL,
  heavy boolean NOT NULL,
  sequence bigint NOT NULL,
  PRIMARY KEY (account_id, heavy, sequence)
);

-- One row an account, so that a claim finds the account whose turn it is and its oldest job by two index steps,
-- however long the queue is. It is small and changes all the time: keep it vacuumed.
CREATE TABLE queue_accounts (
  account_id uuid PRIMARY KEY REFERENCES accounts (id),
  in_flight bigint NOT NULL DEFAULT 0,
  running bigint NOT NULL DEFAULT 0,
  next_light bigint,
  next_heavy bigint,
  next_any bigint GENERATED ALWAYS AS (LEAST(next_light, next_heavy)) STORED,
  CHECK (running >= 0 AND in_flight >= running)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000,
        autovacuum_vacuum_cost_delay = 0);
CREATE INDEX queue_accounts_light ON queue_accounts (running, next_light) WHERE next_light IS NOT NULL;
CREATE INDEX queue_accounts_any ON queue_accounts (running, next_any) WHERE next_any IS NOT NULL;

-- `since` is when the waiting began. One that lies in the future tells that the clock was turned back.
CREATE TABLE queue_delayed (
  sequence bigint PRIMARY KEY REFERENCES jobs (sequence),
  account_id uuid NOT NULL,
  available_at bigint NOT NULL,
  since bigint NOT NULL
);
CREATE INDEX queue_delayed_by_time ON queue_delayed (available_at);
CREATE INDEX queue_delayed_by_since ON queue_delayed (since);

CREATE TABLE queue_leases (
  sequence bigint PRIMARY KEY REFERENCES jobs (sequence),
  account_id uuid NOT NULL,
  worker text NOT NULL,
  expires_at bigint NOT NULL,
  since bigint NOT NULL
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
CREATE INDEX queue_leases_by_expiry ON queue_leases (expires_at);
CREATE INDEX queue_leases_by_since ON queue_leases (since);

CREATE TABLE artifacts (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES accounts (id),
  job_id uuid NOT NULL,
  position integer NOT NULL,
  kind text NOT NULL,
  content_type text NOT NULL,
  byte_size bigint NOT NULL CHECK (byte_size >= 0),
  width bigint NOT NULL,
  height bigint NOT NULL,
  checksum_sha256 text NOT NULL,
  metadata text NOT NULL,
  storage_key text NOT NULL,
  filename text NOT NULL,
  created_at bigint NOT NULL,
  expires_at bigint
);
CREATE UNIQUE INDEX artifacts_of_job ON artifacts (job_id, position);
CREATE INDEX artifacts_by_blob ON artifacts (storage_key);
CREATE INDEX artifacts_by_expiry ON artifacts (expires_at) WHERE expires_at IS NOT NULL;

CREATE TABLE tilesets (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES accounts (id),
  current_version bigint NOT NULL CHECK (current_version >= 1),
  depth integer NOT NULL CHECK (depth >= 1), -- layers of the current version
  created_at bigint NOT NULL,
  expires_at bigint
);
CREATE INDEX tilesets_of_account ON tilesets (account_id, created_at);
CREATE INDEX tilesets_by_expiry ON tilesets (expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX tilesets_by_depth ON tilesets (depth) WHERE depth > 1;

CREATE TABLE tileset_versions (
  tileset_id uuid NOT NULL REFERENCES tilesets (id) ON DELETE CASCADE,
  version bigint NOT NULL CHECK (version >= 1),
  format text NOT NULL,
  tile_size integer NOT NULL,
  width bigint NOT NULL,
  height bigint NOT NULL,
  min_zoom integer NOT NULL,
  max_zoom integer NOT NULL,
  tile_count bigint NOT NULL,
  options text NOT NULL,
  created_at bigint NOT NULL,
  replaced_at bigint,
  PRIMARY KEY (tileset_id, version)
);
CREATE INDEX tileset_versions_replaced ON tileset_versions (replaced_at) WHERE replaced_at IS NOT NULL;

CREATE TABLE tileset_layers (
  tileset_id uuid NOT NULL,
  version bigint NOT NULL,
  position integer NOT NULL CHECK (position >= 0), -- 0 is the bottom
  storage_key text NOT NULL,
  byte_size bigint NOT NULL,
  PRIMARY KEY (tileset_id, version, position),
  FOREIGN KEY (tileset_id, version) REFERENCES tileset_versions (tileset_id, version) ON DELETE CASCADE
);
CREATE INDEX tileset_layers_by_blob ON tileset_layers (storage_key);

-- waiting → deleting → deleted, then the row goes after a while. `due_at` is when the next step may be taken.
CREATE TABLE blob_garbage (
  storage_key text PRIMARY KEY,
  state text NOT NULL CHECK (state IN ('waiting', 'deleting', 'deleted')),
  due_at bigint NOT NULL,
  token bigint NOT NULL DEFAULT 0
);
CREATE INDEX blob_garbage_by_time ON blob_garbage (state, due_at);

CREATE TABLE named_leases (
  name text PRIMARY KEY,
  holder text NOT NULL,
  expires_at bigint NOT NULL,
  since bigint NOT NULL
);
