// The inventory of an embedded database.
#include "metadata/inventory.hpp"

#include <array>
#include <iterator>
#include <mutex>

#include "metadata/sqlite/connection.hpp"
#include "metadata/sqlite/garbage.hpp"
#include "sqlite_sql.hpp"

namespace tessera::metadata {
namespace sqlite {
namespace {

constexpr std::array rules{sql::inventory::tilesets_without_version, sql::inventory::versions_without_layers,
                           sql::inventory::miscounted_artifacts, sql::inventory::miscounted_credits};

void add_row(OwnedBlob& blob, Query row, BlobOwner::Kind kind) {
    if (!row.next()) return;
    BlobOwner owner{kind, row.uuid(), 0, {}};
    owner.account_id = row.uuid();
    blob.size = static_cast<std::uint64_t>(row.integer());
    blob.sha256 = row.text();
    blob.rows += row.integer();
    blob.owners.push_back(owner);
}

void add_layer(OwnedBlob& blob, Query row) {
    if (!row.next()) return;
    BlobOwner owner{BlobOwner::Kind::tileset, row.uuid(), 0, {}};
    owner.version = row.integer();
    owner.account_id = row.uuid();
    blob.size = static_cast<std::uint64_t>(row.integer());
    blob.rows += row.integer();
    blob.owners.push_back(owner);
}

class SqliteInventory final : public Inventory {
  public:
    SqliteInventory(const std::string& path, const Clock& clock)
        : db_(path, Connection::Mode::read_write, false, Millis(10'000)), clock_(clock) {
        db_.script("PRAGMA temp_store = FILE");  // sums over millions of keys are not for memory
    }

    Result<InventorySize> size() override {
        return guarded([&] {
            Query row(db_, sql::inventory::size);
            row.next();
            const std::int64_t blobs = row.integer();
            return InventorySize{blobs, static_cast<std::uint64_t>(row.integer())};
        });
    }

    Result<std::vector<OwnedBlob>> blobs(std::string_view after, int limit) override {
        return guarded([&] {
            // All of one moment: a blob that is renamed by a fold meanwhile would have no owner.
            const Transaction transaction(db_, sql::transaction::begin);
            std::vector<OwnedBlob> page;
            {
                Query row(db_, sql::inventory::keys, after, limit);
                while (row.next()) page.push_back({.key = row.text()});
            }
            for (OwnedBlob& blob : page) {
                add_row(blob, Query(db_, sql::inventory::asset, blob.key), BlobOwner::Kind::asset);
                add_row(blob, Query(db_, sql::inventory::artifact, blob.key), BlobOwner::Kind::artifact);
                add_layer(blob, Query(db_, sql::inventory::layer, blob.key));
            }
            return page;
        });
    }

    Result<std::vector<std::string>> orphans(std::span<const std::string> keys) override {
        return guarded([&] {
            std::vector<std::string> found;
            for (const std::string& key : keys) {
                if (is_orphan(key)) found.push_back(key);
            }
            return found;
        });
    }

    Result<std::vector<std::string>> begin_removal(std::span<const std::string> keys) override {
        return guarded([&] {
            Transaction transaction(db_, sql::transaction::begin_immediate);
            std::vector<std::string> begun;
            for (const std::string& key : keys) {
                if (!is_orphan(key)) continue;
                db_.run(sql::inventory::begin_removal, key, clock_.now() + deletion_timeout);
                begun.push_back(key);
            }
            transaction.commit();
            return begun;
        });
    }

    Result<std::vector<std::string>> problems() override {
        return guarded([&] {
            std::vector<std::string> found;
            for (Query row(db_, sql::inventory::integrity); row.next();) {
                if (std::string said = row.text(); said != "ok") found.push_back("SQLite: " + std::move(said));
            }
            for (Query row(db_, sql::inventory::references); row.next();) {
                const std::string table = row.text();
                (void)row.optional_integer();
                found.push_back("a row of " + table + " refers to a row of " + row.text() + " that is not there");
            }
            for (const std::string_view rule : rules) {
                for (Query row(db_, rule); row.next();) {
                    std::string said = row.text();
                    said += row.uuid().to_string();
                    found.push_back(said + row.text());
                }
            }
            return found;
        });
    }

  private:
    // Rolled back unless it is committed.
    class Transaction {
      public:
        Transaction(Connection& db, std::string_view begin) : db_(db) { db_.run(begin); }
        Transaction(const Transaction&) = delete;
        Transaction& operator=(const Transaction&) = delete;
        ~Transaction() {
            if (!db_.in_transaction()) return;
            try {
                db_.run(sql::transaction::roll_back);
            } catch (const Failure&) {  // the connection is of no use any more: the next call says so
            }
        }
        void commit() { db_.run(sql::transaction::commit); }

      private:
        Connection& db_;
    };

    bool is_orphan(const std::string& key) {
        Query row(db_, sql::inventory::is_orphan, key);
        return row.next() && row.flag();
    }

    template <typename Body>
    auto guarded(Body body) -> Result<decltype(body())> {
        const std::lock_guard lock(mutex_);
        try {
            return body();
        } catch (const Failure& failure) {
            return failure.error();
        }
    }

    std::mutex mutex_;
    Connection db_;
    const Clock& clock_;
};

}  // namespace
}  // namespace sqlite

Result<std::unique_ptr<Inventory>> open_sqlite_inventory(const std::string& path, const Clock& clock) {
    try {
        return std::unique_ptr<Inventory>(std::make_unique<sqlite::SqliteInventory>(path, clock));
    } catch (const sqlite::Failure& failure) {
        return failure.error();
    }
}

}  // namespace tessera::metadata
