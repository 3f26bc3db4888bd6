-- Keys that end, that know where they may be used from, and when they last were. `networks` is CIDR blocks with commas.
ALTER TABLE api_keys ADD COLUMN expires_at INTEGER;
ALTER TABLE api_keys ADD COLUMN last_used_at INTEGER;
ALTER TABLE api_keys ADD COLUMN networks TEXT NOT NULL DEFAULT '';
