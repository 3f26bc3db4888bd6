#include "metadata/sqlite/lists.hpp"

#include "metadata/list_pages.hpp"
#include "metadata/row_values.hpp"
#include "metadata/sqlite/rows.hpp"
#include "sqlite_sql.hpp"

namespace tessera::metadata::sqlite {
namespace {

constexpr JobStatus every_status[] = {JobStatus::queued, JobStatus::running, JobStatus::succeeded, JobStatus::failed};

void append_ids(std::vector<Uuid>& ids, Query row) {
    while (row.next()) ids.push_back(row.uuid());
}

std::vector<std::string> operations_of(Connection& db, const Uuid& account_id, JobStatus status) {
    std::vector<std::string> operations;
    std::string last;
    while (true) {
        Query row(db, sql::lists::next_operation, account_id, to_string(status), last);
        if (!row.next()) return operations;
        operations.push_back(last = row.text());
    }
}

std::vector<Uuid> newest_jobs(Connection& db, const Uuid& account_id, const JobFilter& filter, const Page& page) {
    std::vector<Uuid> ids;
    for (const JobStatus status : every_status) {
        if (filter.status.value_or(status) != status) continue;
        const auto operations =
            filter.operation ? std::vector{*filter.operation} : operations_of(db, account_id, status);
        for (const std::string& operation : operations) {
            append_ids(ids, Query(db, sql::lists::jobs, account_id, to_string(status), operation, start_of(page),
                                  page.limit + 1));
        }
    }
    return newest_of(std::move(ids), page.limit);
}

Listed<Job> jobs_of_account(Connection& db, const Uuid& account_id, const JobFilter& filter, const Page& page,
                            Timestamp now) {
    std::vector<Job> jobs;
    for (const Uuid& id : newest_jobs(db, account_id, filter, page)) {
        if (auto job = find_job(db, account_id, id, now)) jobs.push_back(*std::move(job));
    }
    return page_of(std::move(jobs), page.limit, [](const Job& job) { return job.id; });
}

// By asset or tileset, in order; stops when the page is full or so many were looked through.
Listed<Job> jobs_about(Connection& db, const Uuid& account_id, const JobFilter& filter, const Page& page,
                       Timestamp now) {
    const int most = most_seen(filter, page);
    const auto status = status_text(filter);
    std::vector<SeenJob> seen;
    const auto look = [&](Query row) {
        while (row.next()) {
            const Uuid id = row.uuid();
            seen.push_back({id, row.flag()});
        }
    };
    if (filter.tileset_id) {
        look(Query(db, sql::lists::jobs_on_tileset, *filter.tileset_id, start_of(page), most + 1, account_id, status,
                   filter.operation, filter.asset_id));
    } else {
        look(Query(db, sql::lists::jobs_of_asset, *filter.asset_id, start_of(page), most + 1, account_id, status,
                   filter.operation));
    }
    const Listed<Uuid> found = fitting(seen, most, page.limit);
    Listed<Job> listed{{}, found.next};
    for (const Uuid& id : found.items) {
        if (auto job = find_job(db, account_id, id, now)) listed.items.push_back(*std::move(job));
    }
    return listed;
}

}  // namespace

Result<Listed<Asset>> SqliteLists::assets(Uuid account_id, const Page& page) {
    return readers_.run([&](Connection& db) {
        std::vector<Asset> assets;
        Query row(db, sql::lists::assets, account_id, start_of(page), clock_.now(), page.limit + 1);
        while (row.next()) assets.push_back(read_asset(row));
        return page_of(std::move(assets), page.limit, [](const Asset& asset) { return asset.id; });
    });
}

Result<Listed<Job>> SqliteLists::jobs(Uuid account_id, const JobFilter& filter, const Page& page) {
    return readers_.run([&](Connection& db) {
        const bool by_index_of_account = !filter.asset_id && !filter.tileset_id;
        return by_index_of_account ? jobs_of_account(db, account_id, filter, page, clock_.now())
                                   : jobs_about(db, account_id, filter, page, clock_.now());
    });
}

Result<Listed<StoredTileset>> SqliteLists::tilesets(Uuid account_id, const Page& page) {
    return readers_.run([&](Connection& db) {
        std::vector<StoredTileset> tilesets;
        Query row(db, sql::lists::tilesets, account_id, start_of(page), clock_.now(), page.limit + 1);
        while (row.next()) {
            StoredTileset& stored = tilesets.emplace_back();
            stored.tileset = read_tileset_head(row);
            stored.tileset.current = read_tileset_version(row);
            stored.job_id = row.optional_uuid();
        }
        return page_of(std::move(tilesets), page.limit, [](const StoredTileset& stored) { return stored.tileset.id; });
    });
}

Result<std::vector<StoredVersion>> SqliteLists::versions(Uuid tileset_id) {
    return readers_.run([&](Connection& db) {
        std::vector<StoredVersion> versions;
        Query row(db, sql::lists::versions, tileset_id);
        while (row.next()) {
            StoredVersion& stored = versions.emplace_back();
            stored.version = read_tileset_version(row);
            stored.replaced_at = row.optional_time();
            stored.job_id = row.optional_uuid();
        }
        return versions;
    });
}

Result<std::vector<std::optional<VersionTerms>>> SqliteLists::terms(std::span<const TilesetVersionName> names) {
    return readers_.run([&](Connection& db) {
        std::vector<std::optional<VersionTerms>> terms;
        for (const TilesetVersionName& name : names) {
            Query row(db, sql::lists::terms, name.tileset_id, name.version, clock_.now());
            std::optional<VersionTerms>& found = terms.emplace_back();
            if (!row.next()) continue;
            found.emplace().tileset_expires_at = row.optional_time();
            found->replaced_at = row.optional_time();
        }
        return terms;
    });
}

Result<std::optional<Asset>> SqliteLists::signed_asset(Uuid id) {
    return readers_.run([&](Connection& db) -> std::optional<Asset> {
        Query row(db, sql::lists::signed_asset, id, clock_.now());
        if (!row.next()) return std::nullopt;
        return read_asset(row);
    });
}

}  // namespace tessera::metadata::sqlite
