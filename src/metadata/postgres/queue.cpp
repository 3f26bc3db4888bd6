#include "metadata/postgres/queue.hpp"

#include <algorithm>

#include "core/job_log.hpp"
#include "metadata/row_values.hpp"
#include "postgres_sql.hpp"

namespace tessera::metadata::postgres {
namespace {

constexpr JobErrorCode lost_code = JobErrorCode::internal_error;
constexpr std::string_view lost_message = "the service stopped while it worked on this job";

using Column = std::vector<std::optional<std::string>>;

void tell_of_lost(const Job& job) {
    log_job(log::Level::warning, "job_lease_lost", names_of(job),
            {{"attempt", job.attempt_count}, {"tried_again", job.status == JobStatus::queued}});
}

// A column of the artifacts, as an array.
template <typename Get>
void add_column(Parameters& parameters, const std::vector<Artifact>& artifacts, Get get) {
    Column column;
    for (const Artifact& artifact : artifacts) column.push_back(get(artifact));
    parameters.add_array(column);
}

void add_artifacts(Parameters& to, const std::vector<Artifact>& all) {
    using Text = std::optional<std::string>;
    const auto millis = [](std::optional<Timestamp> time) {
        return time ? Text(std::to_string(to_unix_millis(*time))) : std::nullopt;
    };
    add_column(to, all,
               [](const Artifact& a) -> Text { return (a.id == Uuid() ? Uuid::time_ordered() : a.id).to_string(); });
    add_column(to, all, [](const Artifact& a) -> Text { return a.kind; });
    add_column(to, all, [](const Artifact& a) -> Text { return a.content_type; });
    add_column(to, all, [](const Artifact& a) -> Text { return std::to_string(a.byte_size); });
    add_column(to, all, [](const Artifact& a) -> Text { return std::to_string(a.width); });
    add_column(to, all, [](const Artifact& a) -> Text { return std::to_string(a.height); });
    add_column(to, all, [](const Artifact& a) -> Text { return a.checksum_sha256; });
    add_column(to, all, [](const Artifact& a) -> Text { return a.metadata_json; });
    add_column(to, all, [](const Artifact& a) -> Text { return a.storage_key; });
    add_column(to, all, [](const Artifact& a) -> Text { return a.filename; });
    add_column(to, all, [&](const Artifact& a) -> Text {
        return a.created_at == Timestamp() ? std::nullopt : millis(a.created_at);
    });
    add_column(to, all, [&](const Artifact& a) -> Text { return millis(a.expires_at); });
}

void add_tileset(Parameters& to, const TilesetChange& change) {
    Column keys;
    Column sizes;
    for (const TilesetLayer& layer : change.layers) {
        keys.emplace_back(layer.storage_key);
        sizes.emplace_back(std::to_string(layer.byte_size));
    }
    const TilesetGeometry& geometry = change.geometry;
    to.add(change.tileset_id);
    to.add(change.based_on);
    to.add(change.append);
    to.add_array(keys);
    to.add_array(sizes);
    to.add(to_string(geometry.format));
    to.add(geometry.tile_size);
    to.add(geometry.width);
    to.add(geometry.height);
    to.add(geometry.min_zoom);
    to.add(geometry.max_zoom);
    to.add(change.tile_count);
    to.add(change.options_json);
    to.add(change.expires_at);
}

Call complete_call(const Lease& lease, const Completion& completion, std::optional<Timestamp> now) {
    constexpr int tileset_parameters = 14;
    Call call{sql::queue::complete, Parameters(now, lease.job_id, lease.claim, lease.worker, completion.result_json)};
    add_artifacts(call.parameters, completion.artifacts);
    if (completion.tileset) {
        add_tileset(call.parameters, *completion.tileset);
    } else {
        for (int i = 0; i < tileset_parameters; ++i) call.parameters.add(std::nullopt);
    }
    return call;
}

}  // namespace

Result<std::vector<ClaimedJob>> PostgresQueue::claim(const ClaimRequest& request) {
    return pool_.write([&](Connection& db) {
        std::vector<ClaimedJob> claimed;
        Rows row = db.run(sql::queue::claim, time_.now(), request.worker, request.lane == Lane::light, request.max_jobs,
                          request.lease, describe(lost_code).name, lost_message);
        while (row.next()) {
            ClaimedJob one;
            one.lease.claim = row.integer();
            one.job = read_job(row);
            if (one.job.status != JobStatus::running) {
                tell_of_lost(one.job);
                continue;
            }
            one.lease.job_id = one.job.id;
            one.lease.worker = request.worker;
            one.lease.account_id = one.job.account_id;
            claimed.push_back(std::move(one));
        }
        return claimed;
    });
}

Result<std::vector<LeaseAnswer>> PostgresQueue::renew(std::span<const LeaseRenewal> renewals, Millis lease) {
    // Each by itself: a renewal must wait for no lock while it holds one.
    return pool_.read([&](Connection& db) {
        std::vector<LeaseAnswer> answers;
        for (const LeaseRenewal& renewal : renewals) {
            Rows row = db.run(sql::queue::renew, time_.now(), renewal.lease.job_id, renewal.lease.claim,
                              renewal.lease.worker, lease, std::clamp(renewal.progress, 0.0, 1.0));
            row.next();
            answers.push_back(row.flag() ? LeaseAnswer::done : LeaseAnswer::lease_lost);
        }
        return answers;
    });
}

Result<CompleteAnswer> PostgresQueue::complete(const Lease& lease, const Completion& completion) {
    Result<Rows> answered = writer_.run(lease.account_id, complete_call(lease, completion, time_.now()));
    if (!answered.ok()) return std::move(answered).error();
    return Pool::guarded([&] {
        answered->next();
        const auto answer = static_cast<CompleteAnswer>(answered->integer());
        if (answered->flag()) listener_.jobs_available();
        return answer;
    });
}

Result<FailAnswer> PostgresQueue::fail(const Lease& lease, const JobError& error, std::optional<Millis> retry_after) {
    const JobErrorKind& kind = describe(error.code);
    Result<Rows> answered = writer_.run(
        lease.account_id, {sql::queue::fail, Parameters(time_.now(), lease.job_id, lease.claim, lease.worker, kind.name,
                                                        error.message, kind.service_fault, retry_after)});
    if (!answered.ok()) return std::move(answered).error();
    return Pool::guarded([&] {
        answered->next();
        const auto answer = static_cast<FailAnswer>(answered->integer());
        if (answered->flag()) listener_.jobs_available();
        return answer;
    });
}

Result<std::vector<LeaseAnswer>> PostgresQueue::release(std::span<const Lease> leases) {
    std::vector<LeaseAnswer> answers;
    for (const Lease& lease : leases) {
        const Result<bool> released = pool_.write([&](Connection& db) {
            Rows row = db.run(sql::queue::release, time_.now(), lease.job_id, lease.claim, lease.worker);
            row.next();
            return row.flag();
        });
        if (!released.ok()) return released.error();
        answers.push_back(*released ? LeaseAnswer::done : LeaseAnswer::lease_lost);
    }
    listener_.jobs_available();
    return answers;
}

Result<int> PostgresQueue::end_leases_of(std::span<const std::string> dead_workers) {
    if (dead_workers.empty()) return 0;
    Result<int> ended = pool_.write([&](Connection& db) {
        Call call{sql::queue::end_leases_of, Parameters(time_.now())};
        call.parameters.add_array(Column(dead_workers.begin(), dead_workers.end()));
        Rows row = db.run(call);
        row.next();
        return static_cast<int>(row.integer());
    });
    if (ended && *ended > 0) listener_.jobs_available();
    return ended;
}

Result<std::optional<Millis>> PostgresQueue::next_due() {
    return pool_.read([&](Connection& db) -> std::optional<Millis> {
        Rows row = db.run(sql::queue::next_due, time_.now());
        if (!row.next()) return std::nullopt;
        return Millis(row.integer());
    });
}

}  // namespace tessera::metadata::postgres
