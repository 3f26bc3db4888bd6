-- What each account keeps: its assets, and the bytes of all blobs that its rows name, each once. Triggers count, in the
-- transaction of whatever inserts or deletes, so that no path can forget to. A blob of tiles may be named by layers of
-- several versions and by an artifact; one of an asset by several assets.
CREATE TABLE account_storage (
  account_id BLOB PRIMARY KEY REFERENCES accounts (id),
  bytes INTEGER NOT NULL DEFAULT 0 CHECK (bytes >= 0),
  assets INTEGER NOT NULL DEFAULT 0 CHECK (assets >= 0)
) STRICT, WITHOUT ROWID;

INSERT INTO account_storage (account_id, bytes, assets)
SELECT a.id,
       (SELECT coalesce(sum(size), 0) FROM (
          SELECT max(byte_size) AS size FROM (
            SELECT storage_key, byte_size FROM assets WHERE account_id = a.id
            UNION ALL SELECT storage_key, byte_size FROM artifacts WHERE account_id = a.id
            UNION ALL SELECT l.storage_key, l.byte_size FROM tileset_layers l JOIN tilesets t ON t.id = l.tileset_id
                       WHERE t.account_id = a.id)
           GROUP BY storage_key)),
       (SELECT count(*) FROM assets WHERE account_id = a.id)
  FROM accounts a;

CREATE TRIGGER account_keeps_nothing AFTER INSERT ON accounts
BEGIN INSERT INTO account_storage (account_id) VALUES (NEW.id); END;

CREATE TRIGGER asset_is_kept AFTER INSERT ON assets BEGIN
  UPDATE account_storage
     SET assets = assets + 1,
         bytes = bytes + iif(EXISTS (SELECT 1 FROM assets WHERE storage_key = NEW.storage_key AND id <> NEW.id),
                             0, NEW.byte_size)
   WHERE account_id = NEW.account_id;
END;
CREATE TRIGGER asset_is_gone AFTER DELETE ON assets BEGIN
  UPDATE account_storage
     SET assets = assets - 1,
         bytes = bytes - iif(EXISTS (SELECT 1 FROM assets WHERE storage_key = OLD.storage_key), 0, OLD.byte_size)
   WHERE account_id = OLD.account_id;
END;

CREATE TRIGGER artifact_is_kept BEFORE INSERT ON artifacts
WHEN NOT EXISTS (SELECT 1 FROM tileset_layers WHERE storage_key = NEW.storage_key)
 AND NOT EXISTS (SELECT 1 FROM artifacts WHERE storage_key = NEW.storage_key)
BEGIN UPDATE account_storage SET bytes = bytes + NEW.byte_size WHERE account_id = NEW.account_id; END;
CREATE TRIGGER artifact_is_gone AFTER DELETE ON artifacts
WHEN NOT EXISTS (SELECT 1 FROM tileset_layers WHERE storage_key = OLD.storage_key)
 AND NOT EXISTS (SELECT 1 FROM artifacts WHERE storage_key = OLD.storage_key)
BEGIN UPDATE account_storage SET bytes = bytes - OLD.byte_size WHERE account_id = OLD.account_id; END;

CREATE TRIGGER layer_is_kept BEFORE INSERT ON tileset_layers
WHEN NOT EXISTS (SELECT 1 FROM tileset_layers WHERE storage_key = NEW.storage_key)
 AND NOT EXISTS (SELECT 1 FROM artifacts WHERE storage_key = NEW.storage_key)
BEGIN
  UPDATE account_storage SET bytes = bytes + NEW.byte_size
   WHERE account_id = (SELECT account_id FROM tilesets WHERE id = NEW.tileset_id);
END;
CREATE TRIGGER layer_is_gone AFTER DELETE ON tileset_layers
WHEN NOT EXISTS (SELECT 1 FROM tileset_layers WHERE storage_key = OLD.storage_key)
 AND NOT EXISTS (SELECT 1 FROM artifacts WHERE storage_key = OLD.storage_key)
BEGIN
  UPDATE account_storage SET bytes = bytes - OLD.byte_size
   WHERE account_id = (SELECT account_id FROM tilesets WHERE id = OLD.tileset_id);
END;
-- While it can still be told whose they are.
CREATE TRIGGER layers_go_before_their_tileset BEFORE DELETE ON tilesets
BEGIN DELETE FROM tileset_layers WHERE tileset_id = OLD.id; END;
