#include "service/jobs/job_service.hpp"

#include <algorithm>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <unordered_map>

#include "core/job_log.hpp"
#include "core/plain_numbers.hpp"
#include "metadata/assets.hpp"
#include "metadata/entitlements.hpp"
#include "metadata/jobs.hpp"
#include "metadata/lists.hpp"
#include "metadata/store.hpp"
#include "metadata/tilesets.hpp"
#include "metadata/usage.hpp"
#include "operations/registry.hpp"
#include "service/delivery/tileset_errors.hpp"
#include "service/jobs/job_request.hpp"
#include "service/uploads/upload.hpp"

namespace tessera::service {
namespace {

namespace json = boost::json;
using operations::NormalizedRequest;
using operations::ResolvedRequest;

Error asset_not_found() {
    return {ErrorCode::asset_not_found, "asset not found", {}};
}
Error idempotency_conflict() {
    return {ErrorCode::idempotency_conflict, "idempotency key was already used for a different request", {}};
}
Error not_persisted(const Error& cause) {
    return reworded(cause, ErrorCode::internal_error, "failed to persist job");
}
Error in_flight_limit_exceeded(std::int64_t allowed) {
    return Error{ErrorCode::in_flight_limit_exceeded,
                 "the plan's max_in_flight_jobs of " + std::to_string(allowed) + " is reached; wait for a job to end",
                 {},
                 1}
        .with_limit({.name = "max_in_flight_jobs", .unit = "jobs", .allowed = allowed, .left = 0});
}

// What is left and until when is asked for here, where a refusal tells it, and not with every submission. It may have
// changed since.
Error credits_exhausted(const metadata::Submission& submission, metadata::Usage& usage) {
    const std::int64_t needed = submission.job.credits;
    Error error{ErrorCode::credits_exhausted,
                "the job needs " + std::to_string(needed) + " processing credits, more than the period has left",
                {}};
    const auto period = usage.current(submission.job.account_id);
    if (!period) return error;
    const std::int64_t allowed = submission.max_period_credits.value_or(0);
    const std::int64_t left = std::max<std::int64_t>(0, allowed - period->credits_used);
    const Timestamp end = period->period.ends_at;
    return std::move(error)
        .with_hint(std::to_string(left) + " of " + std::to_string(allowed) + " credits are left until " +
                   to_iso8601(end) + "; " + std::string(describe(ErrorCode::credits_exhausted).remedy))
        .with_limit({.name = "included_processing_credits",
                     .unit = "credits",
                     .allowed = allowed,
                     .asked = needed,
                     .left = left,
                     .resets_at = end});
}

// Looks assets up for an operation; a request that names many is answered from one read.
class AssetLookup {
  public:
    AssetLookup(metadata::Assets& assets, const Uuid& account, const std::vector<Uuid>& named)
        : assets_(assets), account_(account) {
        if (named.size() < 2) return;
        auto all = assets_.find_all(account_, named);
        if (!all) {
            failure_ = not_persisted(all.error());
            return;
        }
        fetched_ = true;
        for (Asset& asset : *all) known_.emplace(asset.id, std::move(asset));
    }

    Result<Asset> operator()(const Uuid& id) const {
        if (failure_) return *failure_;
        if (fetched_) {
            const auto found = known_.find(id);
            if (found == known_.end()) return asset_not_found();
            return found->second;
        }
        auto asset = assets_.find(account_, id);
        if (!asset) return not_persisted(asset.error());
        if (!*asset) return asset_not_found();
        return std::move(**asset);
    }

  private:
    metadata::Assets& assets_;
    Uuid account_;
    bool fetched_ = false;
    std::optional<Error> failure_;
    std::unordered_map<Uuid, Asset> known_;
};

void tell_of_accepted(const Job& job) {
    log_job(log::Level::info, "job.accepted", names_of(job),
            {{"operation", job.operation}, {"credits", job.credits}, {"lane", job.heavy ? "heavy" : "light"}});
}

}  // namespace

std::optional<TilesetResult> tileset_named_in(const std::string& result_json) {
    json::error_code error;
    const json::value result = json::parse(result_json, error);
    const json::object* fields = error ? nullptr : result.if_object();
    if (fields == nullptr) return std::nullopt;
    const auto text = [&](const char* name) -> std::string_view {
        const json::value* field = fields->if_contains(name);
        if (field == nullptr || !field->is_string()) return {};
        return {field->get_string().data(), field->get_string().size()};
    };
    const auto id = Uuid::parse(text("tileset_id"));
    const auto format = image_format_from_string(text("format"));
    const json::value* version = fields->if_contains("version");
    if (!id || !format || version == nullptr || !version->is_int64()) return std::nullopt;
    return TilesetResult{*id, version->get_int64(), *format, {}};
}

JobService::JobService(metadata::Store& store, const operations::Registry& registry, const Links& links,
                       const Clock& clock, operations::WorkerLimits limits, const StorageConfig& storage)
    : store_(store), registry_(registry), links_(links), clock_(clock), limits_(limits), storage_(storage) {
    for (const auto& operation : registry.all()) accepted_.emplace_back(operation->name());
}

void JobService::count_accepted(const Job& job) {
    const auto found = std::ranges::find(accepted_, job.operation, &Accepted::name);
    if (found == accepted_.end()) return;
    found->jobs.add();
    found->credits.add(static_cast<std::uint64_t>(job.credits));
}

Result<SubmittedJob> JobService::submit(const Principal& principal, std::string_view body,
                                        std::optional<std::string_view> idempotency_key, const RequestMarks& marks) {
    if (idempotency_key) {
        if (auto ok = check_idempotency_key(*idempotency_key); !ok) return std::move(ok).error();
    }
    auto request = parse_job_request(body, registry_);
    if (!request) return std::move(request).error();
    std::optional<metadata::IdempotencyKey> key;
    if (idempotency_key) {
        key = metadata::IdempotencyKey{std::string(*idempotency_key), fingerprint_of(*request)};
        // A request that was accepted once is answered with its job, even where it would not be accepted today.
        auto answer = replay(principal, *request, *idempotency_key, marks.origin);
        if (!answer) return std::move(answer).error();
        if (*answer) return std::move(**answer);
    }
    auto resolved = resolve(principal, std::move(*request));
    if (!resolved) return std::move(resolved).error();
    return insert(principal, *resolved, std::move(key), marks);
}

Result<ResolvedRequest> JobService::resolve(const Principal& principal, NormalizedRequest request) {
    const Uuid account = principal.account.id;
    operations::SubmitContext context;
    const operations::Operation& operation = *registry_.find(request.operation);
    context.find_asset = AssetLookup(store_.assets(), account, operation.images(request.asset_id, request.options));
    context.find_tileset = [&](const Uuid& id) -> Result<Tileset> {
        auto tileset = store_.tilesets().find(account, id);
        if (!tileset) return not_persisted(tileset.error());
        if (!*tileset) return tileset_not_found();
        return std::move(**tileset);
    };
    context.plan = principal.plan.limits;
    context.worker = limits_;
    return registry_.resolve(std::move(request), context);
}

Result<SubmittedJob> JobService::insert(const Principal& principal, const ResolvedRequest& request,
                                        std::optional<metadata::IdempotencyKey> key, const RequestMarks& marks) {
    metadata::Submission submission;
    submission.job.id = marks.job_id ? *marks.job_id : Uuid::time_ordered();
    submission.job.account_id = principal.account.id;
    submission.job.asset_id = request.asset_id;
    submission.job.tileset_id = request.tileset_id;
    submission.job.operation = request.operation;
    submission.job.options_json = with_plain_numbers(json::serialize(request.options));
    submission.job.heavy = request.heavy;
    submission.job.credits = request.credits;
    submission.job.request_id = marks.request_id;
    submission.job.trace = marks.trace;
    submission.max_in_flight_jobs = principal.plan.limits.max_in_flight_jobs;
    submission.max_period_credits = principal.plan.included_processing_credits;
    submission.max_storage_bytes = storage_.bytes_for(principal.plan.limits);
    submission.idempotency = std::move(key);

    auto submitted = store_.jobs().submit(submission);
    if (!submitted) return not_persisted(submitted.error());
    switch (submitted->outcome) {
        case metadata::SubmitOutcome::created:
            tell_of_accepted(*submitted->job);
            count_accepted(*submitted->job);
            return SubmittedJob{{std::move(*submitted->job), {}}, false};
        case metadata::SubmitOutcome::replayed: {
            auto view = view_of(principal, std::move(*submitted->job), marks.origin);
            if (!view) return not_persisted(view.error());
            return SubmittedJob{std::move(*view), true};
        }
        case metadata::SubmitOutcome::conflict: return idempotency_conflict();
        case metadata::SubmitOutcome::in_flight_limit:
            return in_flight_limit_exceeded(submission.max_in_flight_jobs.value_or(0));
        case metadata::SubmitOutcome::credits_exhausted: return credits_exhausted(submission, store_.usage());
        case metadata::SubmitOutcome::storage_full: return storage_limit_exceeded(storage_, principal.plan.limits);
    }
    return internal_error("a submission ended in no known way");
}

// Empty when the key is new, or the job that it stood for is gone: the request is then as new as any.
Result<std::optional<SubmittedJob>> JobService::replay(const Principal& principal, const NormalizedRequest& request,
                                                       std::string_view key, std::string_view origin) {
    const auto earlier = store_.jobs().find_idempotent(principal.account.id, key);
    if (!earlier) return not_persisted(earlier.error());
    if (!*earlier) return std::optional<SubmittedJob>();
    auto job = store_.jobs().find(principal.account.id, (*earlier)->job_id);
    if (!job) return not_persisted(job.error());
    if (!*job) return std::optional<SubmittedJob>();
    if (!is_the_same(request, (*earlier)->fingerprint, **job)) return idempotency_conflict();
    auto view = view_of(principal, std::move(**job), origin);
    if (!view) return not_persisted(view.error());
    return std::optional(SubmittedJob{std::move(*view), true});
}

Result<JobView> JobService::inspect(const Principal& principal, std::string_view id, std::string_view origin) {
    const auto parsed = Uuid::parse(id);
    if (!parsed) return Error{ErrorCode::invalid_id, "invalid job id", {}};
    auto job = store_.jobs().find(principal.account.id, *parsed);
    if (!job) return std::move(job).error();
    if (!*job) return Error{ErrorCode::job_not_found, "job not found", {}};
    return view_of(principal, std::move(**job), origin);
}

// What a worker left in result_json names the tileset; the addresses are made anew for every reader who may have them.
Result<JobView> JobService::view_of(const Principal& principal, Job job, std::string_view origin) {
    JobView view{std::move(job), {}};
    if (view.job.status != JobStatus::succeeded || view.job.result_json == "{}") return view;
    if (!principal.has_feature(cdn_delivery_feature)) return view;
    view.tileset = tileset_named_in(view.job.result_json);
    if (!view.tileset) return internal_error("a job's stored result names no tileset");
    auto address = tile_template(*view.tileset, origin);
    if (!address) return std::move(address).error();
    view.tileset->url_template = std::move(*address);
    return view;
}

Result<std::optional<JobView>> JobService::for_message(const Uuid& account_id, const Uuid& job_id) {
    auto job = store_.jobs().find(account_id, job_id);
    if (!job) return std::move(job).error();
    if (!*job) return std::optional<JobView>();
    JobView view{std::move(**job), {}};
    if (view.job.status != JobStatus::succeeded || view.job.result_json == "{}") return std::optional(std::move(view));
    const auto granted = store_.entitlements().list(account_id);
    if (!granted) return granted.error();
    const bool may_know = std::ranges::any_of(*granted, [](const Entitlement& entitlement) {
        return entitlement.feature_code == cdn_delivery_feature && entitlement.enabled;
    });
    if (may_know) view.tileset = tileset_named_in(view.job.result_json);
    return std::optional(std::move(view));
}

// Empty when nothing would resolve: the tileset is deleted or expired, or this version of it was replaced and is gone.
// The address of a replaced version ends when the version does.
Result<std::string> JobService::tile_template(const TilesetResult& made, std::string_view origin) {
    auto tileset = store_.tilesets().find_version(made.tileset_id, made.version);
    if (!tileset) return std::move(tileset).error();
    if (!*tileset) return std::string();
    const auto next = store_.tilesets().find_version(made.tileset_id, made.version + 1);
    if (!next) return next.error();
    const auto replaced_at = *next ? std::optional((*next)->current.created_at) : std::nullopt;
    return template_until(made, {(*tileset)->expires_at, replaced_at}, origin);
}

std::string JobService::template_until(const TilesetResult& made, const metadata::VersionTerms& terms,
                                       std::string_view origin) const {
    const auto until = links_.version_expiry(terms.tileset_expires_at, terms.replaced_at);
    const Timestamp now = clock_.now();
    if (until && to_unix_seconds(*until) <= to_unix_seconds(now)) return std::string();
    return links_.tile_template(made.tileset_id, made.version, made.format, until, origin, now);
}

}  // namespace tessera::service
