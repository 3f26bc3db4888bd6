#include "metadata/postgres/lists.hpp"

#include <unordered_map>

#include "metadata/list_pages.hpp"
#include "metadata/row_values.hpp"
#include "postgres_sql.hpp"

namespace tessera::metadata::postgres {
namespace {

std::vector<Job> jobs_in(Rows rows) {
    std::vector<Job> jobs;
    while (rows.next()) jobs.push_back(read_job(rows));
    return jobs;
}

Listed<Job> jobs_of_account(Connection& db, const Uuid& account_id, const JobFilter& filter, const Page& page) {
    const auto status = status_text(filter);
    return page_of(jobs_in(db.run(sql::lists::jobs_of_account, account_id, status, filter.operation, start_of(page),
                                  page.limit + 1)),
                   page.limit, [](const Job& job) { return job.id; });
}

// By asset or tileset, in order; stops when the page is full or so many were looked through.
Listed<Job> jobs_about(Connection& db, const Uuid& account_id, const JobFilter& filter, const Page& page) {
    const int most = most_seen(filter, page);
    const auto status = status_text(filter);
    Rows row = filter.tileset_id ? db.run(sql::lists::jobs_on_tileset, *filter.tileset_id, start_of(page), most + 1,
                                          account_id, status, filter.operation, filter.asset_id)
                                 : db.run(sql::lists::jobs_of_asset, *filter.asset_id, start_of(page), most + 1,
                                          account_id, status, filter.operation);
    std::vector<SeenJob> seen;
    while (row.next()) {
        const Uuid id = row.uuid();
        seen.push_back({id, row.flag()});
    }
    const Listed<Uuid> found = fitting(seen, most, page.limit);
    std::vector<std::optional<std::string>> ids;
    for (const Uuid& id : found.items) ids.emplace_back(id.to_string());
    Call call{sql::lists::jobs_by_id, {}};
    call.parameters.add_array(ids);
    return {jobs_in(db.run(call)), found.next};
}

void add_artifacts(Connection& db, std::vector<Job>& jobs, std::optional<Timestamp> now) {
    std::unordered_map<Uuid, Job*> by_id;
    std::vector<std::optional<std::string>> ids;
    for (Job& job : jobs) {
        if (job.status != JobStatus::succeeded) continue;
        by_id.emplace(job.id, &job);
        ids.emplace_back(job.id.to_string());
    }
    if (ids.empty()) return;
    Call call{sql::lists::artifacts_of_jobs, {}};
    call.parameters.add_array(ids);
    call.parameters.add(now);
    Rows row = db.run(call);
    while (row.next()) {
        Artifact artifact = read_artifact(row);
        by_id.at(artifact.job_id)->artifacts.push_back(std::move(artifact));
    }
}

}  // namespace

Result<Listed<Asset>> PostgresLists::assets(Uuid account_id, const Page& page) {
    return pool_.read([&](Connection& db) {
        std::vector<Asset> assets;
        Rows row = db.run(sql::lists::assets, account_id, start_of(page), time_.now(), page.limit + 1);
        while (row.next()) assets.push_back(read_asset(row));
        return page_of(std::move(assets), page.limit, [](const Asset& asset) { return asset.id; });
    });
}

Result<Listed<Job>> PostgresLists::jobs(Uuid account_id, const JobFilter& filter, const Page& page) {
    return pool_.read([&](Connection& db) {
        const bool by_index_of_account = !filter.asset_id && !filter.tileset_id;
        Listed<Job> listed = by_index_of_account ? jobs_of_account(db, account_id, filter, page)
                                                 : jobs_about(db, account_id, filter, page);
        add_artifacts(db, listed.items, time_.now());
        return listed;
    });
}

Result<Listed<StoredTileset>> PostgresLists::tilesets(Uuid account_id, const Page& page) {
    return pool_.read([&](Connection& db) {
        std::vector<StoredTileset> tilesets;
        Rows row = db.run(sql::lists::tilesets, account_id, start_of(page), time_.now(), page.limit + 1);
        while (row.next()) {
            StoredTileset& stored = tilesets.emplace_back();
            stored.tileset = read_tileset_head(row);
            stored.tileset.current = read_tileset_version(row);
            stored.job_id = row.optional_uuid();
        }
        return page_of(std::move(tilesets), page.limit, [](const StoredTileset& stored) { return stored.tileset.id; });
    });
}

Result<std::vector<StoredVersion>> PostgresLists::versions(Uuid tileset_id) {
    return pool_.read([&](Connection& db) {
        std::vector<StoredVersion> versions;
        Rows row = db.run(sql::lists::versions, tileset_id);
        while (row.next()) {
            StoredVersion& stored = versions.emplace_back();
            stored.version = read_tileset_version(row);
            stored.replaced_at = row.optional_time();
            stored.job_id = row.optional_uuid();
        }
        return versions;
    });
}

Result<std::vector<std::optional<VersionTerms>>> PostgresLists::terms(std::span<const TilesetVersionName> names) {
    std::vector<std::optional<std::string>> ids;
    std::vector<std::optional<std::string>> versions;
    for (const TilesetVersionName& name : names) {
        ids.emplace_back(name.tileset_id.to_string());
        versions.emplace_back(std::to_string(name.version));
    }
    Call call{sql::lists::terms, {}};
    call.parameters.add_array(ids);
    call.parameters.add_array(versions);
    call.parameters.add(time_.now());
    return pool_.read([&](Connection& db) {
        std::vector<std::optional<VersionTerms>> terms(names.size());
        Rows row = db.run(call);
        while (row.next()) {
            std::optional<VersionTerms>& found = terms.at(static_cast<std::size_t>(row.integer() - 1));
            found.emplace().tileset_expires_at = row.optional_time();
            found->replaced_at = row.optional_time();
        }
        return terms;
    });
}

Result<std::optional<Asset>> PostgresLists::signed_asset(Uuid id) {
    return pool_.read([&](Connection& db) -> std::optional<Asset> {
        Rows row = db.run(sql::lists::signed_asset, id, time_.now());
        if (!row.next()) return std::nullopt;
        return read_asset(row);
    });
}

}  // namespace tessera::metadata::postgres
