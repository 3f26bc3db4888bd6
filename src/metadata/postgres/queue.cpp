#include "metadata/postgres/queue.hpp"

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>
#include <iterator>

#include "core/job_log.hpp"
#include "metadata/row_values.hpp"
#include "postgres_sql.hpp"

namespace tessera::metadata::postgres {
namespace {

namespace json = boost::json;

constexpr JobErrorCode lost_code = JobErrorCode::internal_error;
constexpr std::string_view lost_message = "the service stopped while it worked on this job";

void tell_of_lost(const Job& job) {
    log_job(log::Level::warning, "job_lease_lost", names_of(job),
            {{"attempt", job.attempt_count}, {"tried_again", job.status == JobStatus::queued}});
}

json::value millis(std::optional<Timestamp> time) {
    return time ? json::value(to_unix_millis(*time)) : json::value();
}

// By the names of the columns.
json::value to_json(const Artifact& artifact) {
    return {{"id", (artifact.id == Uuid() ? Uuid::time_ordered() : artifact.id).to_string()},
            {"kind", artifact.kind},
            {"content_type", artifact.content_type},
            {"byte_size", artifact.byte_size},
            {"width", artifact.width},
            {"height", artifact.height},
            {"checksum_sha256", artifact.checksum_sha256},
            {"metadata", artifact.metadata_json},
            {"storage_key", artifact.storage_key},
            {"filename", artifact.filename},
            {"created_at", artifact.created_at == Timestamp() ? json::value() : millis(artifact.created_at)},
            {"expires_at", millis(artifact.expires_at)}};
}

json::value to_json(const TilesetChange& change) {
    json::array layers;
    for (const TilesetLayer& layer : change.layers) {
        layers.push_back({{"storage_key", layer.storage_key}, {"byte_size", layer.byte_size}});
    }
    const TilesetGeometry& geometry = change.geometry;
    return {{"tileset_id", change.tileset_id.to_string()},
            {"based_on", change.based_on},
            {"append", change.append},
            {"layers", std::move(layers)},
            {"format", to_string(geometry.format)},
            {"tile_size", geometry.tile_size},
            {"width", geometry.width},
            {"height", geometry.height},
            {"min_zoom", geometry.min_zoom},
            {"max_zoom", geometry.max_zoom},
            {"tile_count", change.tile_count},
            {"options", change.options_json},
            {"expires_at", millis(change.expires_at)}};
}

Call complete_call(const Lease& lease, const Completion& completion, std::optional<Timestamp> now) {
    json::array artifacts;
    for (const Artifact& artifact : completion.artifacts) artifacts.push_back(to_json(artifact));
    const auto version =
        completion.tileset ? std::optional(json::serialize(to_json(*completion.tileset))) : std::nullopt;
    return {sql::queue::complete, Parameters(now, lease.job_id, lease.claim, lease.worker, completion.result_json,
                                             json::serialize(artifacts), version)};
}

}  // namespace

Result<std::vector<ClaimedJob>> PostgresQueue::claim(const ClaimRequest& request) {
    auto claimed = claim_lane(request, request.lane, request.max_jobs);
    if (!claimed || request.then_light == 0 || std::ssize(*claimed) < request.max_jobs) return claimed;
    auto light = claim_lane(request, Lane::light, request.then_light);
    // What was claimed before must not be forgotten.
    if (light) std::ranges::move(*light, std::back_inserter(*claimed));
    return claimed;
}

Result<std::vector<ClaimedJob>> PostgresQueue::claim_lane(const ClaimRequest& request, Lane lane, int max_jobs) {
    std::vector<JobChange> changes;
    auto taken = pool_.write([&](Connection& db) {
        std::vector<ClaimedJob> claimed;
        changes.clear();
        Rows row = db.run(sql::queue::claim, time_.now(), request.worker, lane == Lane::light, max_jobs, request.lease,
                          describe(lost_code).name, lost_message);
        while (row.next()) {
            ClaimedJob one;
            one.lease.claim = row.integer();
            one.job = read_job(row);
            changes.push_back({one.job.account_id, one.job.id, one.job.status});
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
    if (taken.ok()) listener_.jobs_changed(std::move(changes));
    return taken;
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
        if (answer == CompleteAnswer::done) {
            // Before whoever waits for the job is told: its version is then current in this node's caches.
            if (const auto& change = completion.tileset) listener_.tell({Change::Kind::tileset, change->tileset_id});
            listener_.job_changed(lease.account_id, lease.job_id, JobStatus::succeeded);
        }
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
        if (answer != FailAnswer::lease_lost) {
            const bool ended = answer == FailAnswer::failed;
            listener_.job_changed(lease.account_id, lease.job_id, ended ? JobStatus::failed : JobStatus::queued);
        }
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
        if (*released) listener_.job_changed(lease.account_id, lease.job_id, JobStatus::queued);
    }
    listener_.jobs_available();
    return answers;
}

Result<int> PostgresQueue::end_leases_of(std::span<const std::string> dead_workers) {
    if (dead_workers.empty()) return 0;
    Result<int> ended = pool_.write([&](Connection& db) {
        Call call{sql::queue::end_leases_of, Parameters(time_.now())};
        call.parameters.add_array(std::vector<std::optional<std::string>>(dead_workers.begin(), dead_workers.end()));
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
