#include "service/jobs/job_lists.hpp"

#include "core/job_log.hpp"
#include "metadata/jobs.hpp"
#include "metadata/lists.hpp"
#include "metadata/store.hpp"
#include "operations/registry.hpp"
#include "service/access/page_cursor.hpp"
#include "service/jobs/job_service.hpp"

namespace tessera::service {
namespace {

Result<std::optional<Uuid>> optional_id(std::optional<std::string_view> text, std::string_view name) {
    if (!text || text->empty()) return std::optional<Uuid>();
    const auto id = Uuid::parse(*text);
    if (!id) return Error{ErrorCode::invalid_request, std::string(name) + " must be a valid uuid", {}};
    return id;
}

Result<metadata::JobFilter> filter_of(const JobQuestion& question, const operations::Registry& registry) {
    metadata::JobFilter filter;
    if (const std::string_view text = question.status.value_or(""); !text.empty()) {
        filter.status = job_status_from_string(text);
        if (!filter.status) {
            return Error{ErrorCode::invalid_request, "status must be queued, running, succeeded or failed", {}};
        }
    }
    if (const std::string_view text = question.operation.value_or(""); !text.empty()) {
        if (registry.find(text) == nullptr) {
            return Error{ErrorCode::unsupported_operation, "unsupported operation", {}};
        }
        filter.operation = text;
    }
    auto asset_id = optional_id(question.asset_id, "asset_id");
    if (!asset_id) return std::move(asset_id).error();
    filter.asset_id = *asset_id;
    auto tileset_id = optional_id(question.tileset_id, "tileset_id");
    if (!tileset_id) return std::move(tileset_id).error();
    filter.tileset_id = *tileset_id;
    return filter;
}

}  // namespace

Result<ListedJobs> JobService::list(const Principal& principal, const JobQuestion& question, std::string_view origin) {
    const auto page = parse_page(question.page);
    if (!page) return page.error();
    const auto filter = filter_of(question, registry_);
    if (!filter) return filter.error();
    auto listed = store_.lists().jobs(principal.account.id, *filter, *page);
    if (!listed) return std::move(listed).error();
    auto views = views_of(principal, std::move(listed->items), origin);
    if (!views) return std::move(views).error();
    return ListedJobs{std::move(*views), cursor_of(listed->next)};
}

// As view_of, with one question to the store for all of them.
Result<std::vector<JobView>> JobService::views_of(const Principal& principal, std::vector<Job> jobs,
                                                  std::string_view origin) {
    const bool entitled = principal.has_feature(cdn_delivery_feature);
    std::vector<JobView> views;
    std::vector<metadata::TilesetVersionName> made;
    for (Job& job : jobs) {
        JobView& view = views.emplace_back(JobView{std::move(job), {}});
        if (!entitled || view.job.status != JobStatus::succeeded || view.job.result_json == "{}") continue;
        view.tileset = tileset_named_in(view.job.result_json);
        if (!view.tileset) return internal_error("a job's stored result names no tileset");
        made.push_back({view.tileset->tileset_id, view.tileset->version});
    }
    if (made.empty()) return views;
    const auto terms = store_.lists().terms(made);
    if (!terms) return terms.error();
    auto next = terms->begin();
    for (JobView& view : views) {
        if (!view.tileset) continue;
        const auto& found = *next++;
        if (found) view.tileset->url_template = template_until(*view.tileset, *found, origin);
    }
    return views;
}

Result<JobView> JobService::cancel(const Principal& principal, std::string_view id, std::string_view origin) {
    const auto parsed = Uuid::parse(id);
    if (!parsed) return Error{ErrorCode::invalid_id, "invalid job id", {}};
    auto cancelled = store_.jobs().cancel(principal.account.id, *parsed);
    if (!cancelled) return std::move(cancelled).error();
    if (!*cancelled) return Error{ErrorCode::job_not_found, "job not found", {}};
    Job& job = (*cancelled)->job;
    if ((*cancelled)->ended) {
        log_job(log::Level::info, "job.cancelled", names_of(job),
                {{"operation", job.operation}, {"attempt", job.attempt_count}});
    }
    return view_of(principal, std::move(job), origin);
}

}  // namespace tessera::service
