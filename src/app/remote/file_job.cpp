#include "app/remote/file_job.hpp"

#include <utility>

#include "core/random.hpp"

namespace tessera::remote {
namespace {

namespace json = boost::json;

constexpr int job_wait_s = 30;  // a request for a job is held so long

}  // namespace

std::string FileJob::new_key() {
    return "tessera-remote-" + random_token(32);
}

FileJob::FileJob(Shared& shared, Work work) : shared_(shared), work_(std::move(work)) {
    report_.input = work_.input;
    report_.output = work_.output;
    entry_.work = shared_.order.work_of(shared_.service.address(), work_.input, work_.output);
}

bool FileJob::made_before(const Journal& journal, const Order& order, const Service& service, const Work& work) {
    const Entry* known = journal.find(order.work_of(service.address(), work.input, work.output));
    return known != nullptr && known->has_result();
}

bool FileJob::read_input() {
    if (work_.input.empty()) return true;
    const auto mark = mark_of(work_.input);
    if (!mark) {
        fail(own_trouble("can't be read"));
        return false;
    }
    entry_.input = *mark;
    report_.source_bytes = mark->size;
    return true;
}

bool FileJob::read_content() {
    if (work_.input.empty() || !entry_.input.sha256.empty()) return true;
    auto content = content_of(work_.input);
    if (!content) {
        fail(own_trouble("can't be read"));
        return false;
    }
    entry_.input.sha256 = std::move(*content);
    return true;
}

// The same size and time, or else the same content.
bool FileJob::knows_input(const Entry& known) {
    if (work_.input.empty() || known.input.same_time(entry_.input)) return true;
    if (known.input.size != entry_.input.size || !read_content()) return false;
    return known.input.sha256 == entry_.input.sha256;
}

void FileJob::begin() {
    if (!read_input()) return;
    const Entry* known = shared_.journal.find(entry_.work);
    const bool same = known != nullptr && knows_input(*known);
    if (ended_) return;
    if (known != nullptr) {
        entry_.first = known->first;
        entry_.further = known->further;
    }
    if (!same) return start_anew();
    const FileMark now = entry_.input;
    entry_ = *known;
    entry_.input.modified_ns = now.modified_ns;
    go_on();
}

void FileJob::go_on() {
    report_.asset_id = entry_.asset_id;
    report_.job_id = entry_.job_id;
    switch (entry_.stage) {
        case Stage::done:
            if (entry_.has_all_results()) {
                report_.output = work_.output.parent_path() / std::filesystem::path(entry_.first.output).filename();
                return end(Ending::skipped);
            }
            if (work_.output.empty()) return start_anew();  // it left nothing here that could be there still
            [[fallthrough]];                                // its result was removed or changed: it is fetched again
        case Stage::submitted:
            shared_.slots.take_now();
            has_slot_ = true;
            return ask_job(Millis(0));
        case Stage::failed: {
            if (shared_.order.retry_failed) return start_anew();
            report_.failed_before = true;
            Refusal refusal{0, entry_.error, entry_.code};
            refusal.job_id = entry_.job_id;
            return fail(std::move(refusal));
        }
        case Stage::begun: return entry_.asset_id.empty() ? upload() : submit();
    }
}

void FileJob::start_anew() {
    if (!read_content()) return;
    entry_ = Entry{
        .work = entry_.work, .input = entry_.input, .key = new_key(), .first = entry_.first, .further = entry_.further};
    if (put()) upload();
}

bool FileJob::start_anew_once() {
    if (std::exchange(started_anew_, true)) return false;
    free_slot();
    start_anew();
    return true;
}

void FileJob::upload() {
    if (shared_.stopping()) return end(Ending::left);
    if (work_.input.empty()) return submit();
    shared_.uploads.want(work_.input, entry_.input, Uploads::Trust::book,
                         [this](const Result<Uploaded, Refusal>& uploaded) {
                             if (!uploaded) return refuse(uploaded.error());
                             entry_.asset_id = uploaded->asset_id;
                             report_.asset_id = entry_.asset_id;
                             if (put()) submit();
                         });
}

void FileJob::submit() {
    shared_.slots.take([this] {
        has_slot_ = true;
        if (shared_.stopping()) return end(Ending::left);
        json::object body;
        if (!entry_.asset_id.empty()) body["asset_id"] = entry_.asset_id;
        body["operation"] = shared_.order.operation;
        body["options"] = shared_.order.options;
        Request request = shared_.service.post("/v1/jobs", body);
        request.headers.push_back("Idempotency-Key: " + entry_.key);
        shared_.calls.send(Lane::submissions, std::move(request), [this](const Answer& a) { take_submission(a); });
    });
}

void FileJob::take_submission(const Answer& answer) {
    const auto job = object_of(answer);
    if (!job || text_at(*job, "id").empty()) {
        Refusal refusal = refusal_of(answer);
        if (refusal.code == "asset_not_found" && !work_.input.empty()) {
            shared_.uploads.forget(entry_.input.sha256);
            if (start_anew_once()) return;
        }
        // Pictures that options name were uploaded anew since.
        if (refusal.code == "idempotency_conflict" && start_anew_once()) return;
        return refuse(std::move(refusal));
    }
    entry_.stage = Stage::submitted;
    entry_.job_id = text_at(*job, "id");
    report_.job_id = entry_.job_id;
    if (put()) take_job(*job, true);
}

void FileJob::ask_job(Millis not_before) {
    Request request = shared_.service.get("/v1/jobs/" + entry_.job_id);
    request.headers.push_back("Prefer: wait=" + std::to_string(job_wait_s));
    request.stall = std::chrono::seconds(job_wait_s + 60);
    const auto take = [this](const Answer& answer) {
        if (const auto job = object_of(answer)) return take_job(*job, !answer.header("preference-applied").empty());
        if (answer.status == 404 && start_anew_once()) return;
        refuse(refusal_of(answer));
    };
    shared_.calls.send(Lane::job_reads, std::move(request), take, not_before);
}

bool FileJob::put() {
    const auto written = shared_.journal.put(entry_);
    if (!written) {
        shared_.stop(own_trouble("what was done can't be written down: " + written.error().detail));
        end(Ending::left);
    }
    return written.ok();
}

void FileJob::free_slot() {
    if (std::exchange(has_slot_, false)) shared_.slots.give_back();
}

void FileJob::refuse(Refusal refusal) {
    if (shared_.stopping()) return end(Ending::left);
    // No answer at all, for as long as patience lasts, is not this file's fault either.
    if (meets_every_file(refusal)) {
        shared_.stop(refusal);
        return end(Ending::left);
    }
    fail(std::move(refusal));
}

void FileJob::fail(Refusal refusal) {
    report_.refusal = std::move(refusal);
    end(Ending::failed);
}

void FileJob::end(Ending ending) {
    report_.ending = ending;
    ended_ = true;
    download_.reset();
    free_slot();
}

}  // namespace tessera::remote
