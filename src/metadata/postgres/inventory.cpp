// The inventory of a database that nodes share.
#include "metadata/inventory.hpp"

#include <array>
#include <mutex>

#include "metadata/postgres/connection.hpp"
#include "metadata/postgres/pool.hpp"
#include "metadata/postgres/time.hpp"
#include "postgres_sql.hpp"

namespace tessera::metadata {
namespace postgres {
namespace {

// As in maintenance.cpp: how long a deletion that was begun is waited for.
constexpr Millis deletion_timeout = std::chrono::minutes(10);

constexpr std::array rules{sql::inventory::unsound_indexes,         sql::inventory::unsound_constraints,
                           sql::inventory::failed_checksums,        sql::inventory::tilesets_without_version,
                           sql::inventory::versions_without_layers, sql::inventory::miscounted_artifacts,
                           sql::inventory::miscounted_credits};

OwnedBlob read_blob(Rows& row) {
    OwnedBlob blob;
    blob.key = row.text();
    blob.size = static_cast<std::uint64_t>(row.integer());
    blob.sha256 = row.text();
    blob.rows = row.integer();
    for (const auto kind : {BlobOwner::Kind::asset, BlobOwner::Kind::artifact}) {
        const auto id = row.optional_uuid();
        const auto account = row.optional_uuid();
        if (id && account) blob.owners.push_back({kind, *id, 0, *account});
    }
    const auto tileset = row.optional_uuid();
    const auto version = row.optional_integer();
    const auto account = row.optional_uuid();
    if (tileset && version && account) {
        blob.owners.push_back({BlobOwner::Kind::tileset, *tileset, *version, *account});
    }
    return blob;
}

class PostgresInventory final : public Inventory {
  public:
    PostgresInventory(ConnectionSettings settings, GivenTime time)
        : settings_(std::move(settings)), time_(time), db_(std::make_unique<Connection>(settings_)) {}

    Result<InventorySize> size() override {
        return guarded([&] {
            Rows row = db_->run(sql::inventory::size);
            row.next();
            const std::int64_t blobs = row.integer();
            return InventorySize{blobs, static_cast<std::uint64_t>(row.integer())};
        });
    }

    Result<std::vector<OwnedBlob>> blobs(std::string_view after, int limit) override {
        return guarded([&] {
            std::vector<OwnedBlob> page;
            Rows row = db_->run(sql::inventory::blobs, after, limit);
            while (row.next()) page.push_back(read_blob(row));
            return page;
        });
    }

    Result<std::vector<std::string>> orphans(std::span<const std::string> keys) override {
        return guarded([&] {
            Call call{sql::inventory::orphans, {}};
            call.parameters.add_array(std::vector<std::optional<std::string>>(keys.begin(), keys.end()));
            return texts(db_->run(call));
        });
    }

    // A key at a time, so that a transaction holds one lock and nobody waits for many.
    Result<std::vector<std::string>> begin_removal(std::span<const std::string> keys) override {
        return guarded([&] {
            std::vector<std::string> begun;
            for (const std::string& key : keys) {
                if (begin_removal_of(key)) begun.push_back(key);
            }
            return begun;
        });
    }

    Result<std::vector<std::string>> problems() override {
        return guarded([&] {
            std::vector<std::string> found;
            for (const std::string_view rule : rules) {
                for (std::string& said : texts(db_->run(rule))) found.push_back(std::move(said));
            }
            return found;
        });
    }

  private:
    bool begin_removal_of(const std::string& key) {
        db_->run(sql::transaction::begin);
        try {
            Rows locked = db_->run(sql::inventory::lock_key, key);  // else someone is about to name it
            const bool begun =
                locked.next() && locked.flag() &&
                db_->run(sql::inventory::begin_removal, time_.now(), key, deletion_timeout).affected() > 0;
            db_->run(sql::transaction::commit);
            return begun;
        } catch (const Failure&) {
            if (db_->alive()) db_->run(sql::transaction::roll_back);
            throw;
        }
    }

    static std::vector<std::string> texts(Rows rows) {
        std::vector<std::string> found;
        while (rows.next()) found.push_back(rows.text());
        return found;
    }

    // A check takes hours: a server that was started anew meanwhile is connected to again.
    template <typename Body>
    auto guarded(Body body) -> Result<decltype(body())> {
        const std::lock_guard lock(mutex_);
        return Pool::guarded([&] {
            if (!db_->alive()) db_ = std::make_unique<Connection>(settings_);
            return body();
        });
    }

    const ConnectionSettings settings_;
    const GivenTime time_;
    std::mutex mutex_;
    std::unique_ptr<Connection> db_;
};

}  // namespace
}  // namespace postgres

Result<std::unique_ptr<Inventory>> open_postgres_inventory(const std::string& url, const Clock* clock) {
    return postgres::Pool::guarded([&] {
        // Adding up a large table takes as long as it takes.
        const postgres::ConnectionSettings settings{url, std::chrono::hours(1), Millis(5'000)};
        return std::unique_ptr<Inventory>(
            std::make_unique<postgres::PostgresInventory>(settings, postgres::GivenTime(clock)));
    });
}

}  // namespace tessera::metadata
