// What becomes of a file once its job is accepted: the job's end, and its result.
#include <algorithm>
#include <array>
#include <boost/json/array.hpp>
#include <span>
#include <utility>
#include <vector>

#include "app/remote/file_job.hpp"

namespace tessera::remote {
namespace {

namespace json = boost::json;
namespace fs = std::filesystem;

constexpr Millis not_held_pause{2'000};  // before the next look, where the service would not hold the request
constexpr int most_downloads = 4;

// Of jobs that failed for a reason on the service's side, or by somebody's wish: the next run tries them again.
bool may_succeed_later(std::string_view code) {
    constexpr std::array<std::string_view, 5> codes{"cancelled", "engine_crashed", "storage_unavailable",
                                                    "internal_error", "source_unavailable"};
    return std::ranges::find(codes, code) != codes.end();
}

std::vector<json::object> artifacts_of(const json::object& job) {
    std::vector<json::object> artifacts;
    const json::value* all = job.if_contains("artifacts");
    if (all == nullptr || !all->is_array()) return artifacts;
    for (const json::value& each : all->get_array()) {
        if (each.is_object()) artifacts.push_back(each.get_object());
    }
    return artifacts;
}

fs::path whole(const fs::path& path) {
    std::error_code none;
    return fs::absolute(path, none);
}

}  // namespace

void FileJob::take_job(const json::object& job, bool waited) {
    const std::string status = text_at(job, "status");
    if (status == "failed") return take_failure(job);
    if (status != "succeeded") return ask_job(waited ? Millis(0) : not_held_pause);
    free_slot();
    if (const json::value* result = job.if_contains("result"); result != nullptr && result->is_object())
        report_.result = result->get_object();
    const std::vector<json::object> artifacts = artifacts_of(job);
    if (!artifacts.empty()) report_.artifact = artifacts.front();
    if (work_.output.empty()) {
        entry_.stage = Stage::done;
        if (put()) end(Ending::done);
        return;
    }
    // A job of an earlier run, whose result has expired since.
    if (artifacts.empty()) {
        if (!start_anew_once()) fail(own_trouble("the job has no result any more"));
        return;
    }
    if (!work_.takes_extension) {
        if (const auto wrong = wrong_name(work_.output, extension_for(text_at(artifacts.front(), "content_type")))) {
            return fail(own_trouble(*wrong));
        }
    }
    name_results(artifacts);
    fetch_next();
}

// The first result takes its name last: where that is there, all of them are.
void FileJob::name_results(const std::vector<json::object>& artifacts) {
    const auto extension_of = [](const json::object& artifact) {
        return extension_for(text_at(artifact, "content_type"));
    };
    const fs::path& name = work_.output;
    report_.output = work_.takes_extension ? with_extension(name, extension_of(artifacts.front())) : name;
    report_.further.clear();
    wanted_.clear();
    std::vector<Placed> kept;
    wanted_.push_back({artifacts.front(), report_.output});
    for (const json::object& artifact : std::span(artifacts).subspan(1)) {
        const fs::path beside = name_of_further(report_.output, text_at(artifact, "kind"), extension_of(artifact));
        const std::string place = whole(beside).string();
        const auto before = std::ranges::find(entry_.further, place, &Placed::output);
        kept.push_back(before == entry_.further.end() ? Placed{place, {}, {}} : *before);
        wanted_.push_back({artifact, beside});
        report_.further.push_back({beside, artifact});
    }
    entry_.further = std::move(kept);
}

void FileJob::fetch_next() {
    downloads_ = 0;
    ask_artifact(text_at(wanted_.back().artifact, "id"));
}

void FileJob::take_failure(const json::object& job) {
    free_slot();
    Refusal refusal{0, text_at(job, "error_message"), text_at(job, "error_code")};
    refusal.job_id = entry_.job_id;
    if (refusal.code == "source_unavailable" && !work_.input.empty()) {
        shared_.uploads.forget(entry_.input.sha256);
        if (start_anew_once()) return;
    }
    if (may_succeed_later(refusal.code)) {
        entry_.stage = Stage::begun;
        entry_.key = new_key();
        entry_.job_id.clear();
    } else {
        entry_.stage = Stage::failed;
        entry_.error = refusal.error;
        entry_.code = refusal.code;
    }
    if (put()) fail(std::move(refusal));
}

void FileJob::ask_artifact(const std::string& id) {
    const auto take = [this](const Answer& answer) {
        const auto artifact = object_of(answer);
        const std::string url = artifact ? text_at(*artifact, "download_url") : std::string();
        if (!url.empty()) return download(url);
        if (answer.status == 404 && start_anew_once()) return;
        refuse(refusal_of(answer));
    };
    shared_.calls.send(Lane::artifact_reads, shared_.service.get("/v1/artifacts/" + id), take);
}

void FileJob::download(const std::string& url) {
    ++downloads_;
    const auto& [artifact, output] = wanted_.back();
    std::error_code failed;
    if (output.has_parent_path()) fs::create_directories(output.parent_path(), failed);
    if (failed) return fail(own_trouble(output.parent_path().string() + ": " + failed.message()));
    const std::string part = output.string() + "." + entry_.work.substr(0, 12) + ".part";
    download_ =
        std::make_unique<Download>(part, number_at(artifact, "byte_size"), text_at(artifact, "checksum_sha256"));
    Request request = signed_download(url);
    request.restart = [this] { return download_->restart(); };
    request.sink = [this](std::string_view bytes) { return download_->write(bytes); };
    shared_.calls.send(Lane::downloads, std::move(request), [this](const Answer& a) { take_download(a); });
}

void FileJob::take_download(const Answer& answer) {
    if (answer.ok() && download_->finish()) return put_in_place();
    // An address that has expired, or bytes that were lost on the way: a new address, and once more.
    const bool again = answer.status == 403 || answer.ok();
    if (again && downloads_ < most_downloads) {
        download_.reset();
        return ask_artifact(text_at(wanted_.back().artifact, "id"));
    }
    if (!download_->trouble().empty()) return fail(own_trouble(download_->trouble()));
    refuse(refusal_of(answer));
}

void FileJob::put_in_place() {
    const fs::path output = wanted_.back().output;
    const bool is_first = wanted_.size() == 1;
    Placed& placed = is_first ? entry_.first : entry_.further.at(wanted_.size() - 2);
    const bool own = placed.is_there() && fs::path(placed.output).filename() == output.filename();
    if (const auto made = mark_of(download_->part())) placed.placing = *made;
    placed.placing.sha256 = download_->sha256();
    placed.output = whole(output).string();
    if (!put()) return;  // whoever is killed right behind the next step finds a result that is known as its own
    try {
        shared_.order.place(download_->part(), output, own);
    } catch (const std::exception& failure) {
        return fail(own_trouble(failure.what()));
    }
    download_->keep();
    placed.result = std::exchange(placed.placing, {});
    wanted_.pop_back();
    if (!is_first) return fetch_next();
    entry_.stage = Stage::done;
    if (put()) end(Ending::done);
}

}  // namespace tessera::remote
