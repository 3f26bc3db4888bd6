-- Accounts that are suspended, being erased, or erased: of those the row stays for the ledger, under a name that says so.
ALTER TABLE accounts ADD COLUMN suspended_at INTEGER;
ALTER TABLE accounts ADD COLUMN erasure_begun_at INTEGER;
ALTER TABLE accounts ADD COLUMN erased_at INTEGER;

-- A held account's jobs wait. One that is closed, because it is being erased, takes none.
ALTER TABLE queue_accounts ADD COLUMN held INTEGER NOT NULL DEFAULT 0 CHECK (held IN (0, 1));
ALTER TABLE queue_accounts ADD COLUMN closed INTEGER NOT NULL DEFAULT 0 CHECK (closed = 0 OR (held = 1 AND in_flight = 0));
