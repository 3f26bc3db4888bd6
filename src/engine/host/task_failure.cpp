#include "engine/host/task_failure.hpp"

#include <string>

#include "core/job_log.hpp"

namespace tessera::engine {

void log_loss(log::Level level, const Owner& owner, pid_t pid, const JobError& error) {
    const std::string& detail = error.detail.empty() ? error.message : error.detail;
    const log::Field fault("error", describe(error.code).name);
    if (owner.job_id == Uuid()) {
        log::write(level, "engine_lost",
                   {{"request_id", owner.request_id},
                    {"trace_id", owner.trace_id},
                    {"pid", pid},
                    {"account", owner.account_id.to_string()},
                    {"upload", true},
                    fault,
                    {"detail", detail}});
        return;
    }
    log_job(level, "engine_lost", {owner.request_id, owner.trace_id, owner.account_id, owner.job_id},
            {{"pid", pid}, fault, {"detail", detail}});
}

void count_outcome(TaskOutcomes::Work& counts, const TaskFailure* failure) {
    if (failure == nullptr) {
        ++counts.ok;
    } else if (failure->overloaded) {
        ++counts.overloaded;
    } else if (failure->stopped) {
        ++counts.stopped;
    } else {
        ++counts.failed[static_cast<std::size_t>(failure->error.code)];
    }
}

Error for_client(const TaskFailure& failure) {
    const JobError& error = failure.error;
    if (failure.overloaded) return {ErrorCode::overloaded, error.message, error.detail, 1};
    switch (error.code) {
        case JobErrorCode::decode_failed: return {ErrorCode::unsupported_media_type, error.message, error.detail};
        case JobErrorCode::source_too_large: return {ErrorCode::image_too_large, error.message, error.detail};
        case JobErrorCode::timeout:
            return {ErrorCode::unsupported_media_type, "the image can't be read: its header takes too long to read",
                    error.detail};
        case JobErrorCode::resource_exhausted:
            return {ErrorCode::unsupported_media_type, "the image can't be read: its header needs too much memory",
                    error.detail};
        case JobErrorCode::engine_crashed:
            return {ErrorCode::internal_error, "the image engine stopped while it read this image; it may work again",
                    error.detail};
        case JobErrorCode::storage_unavailable: return storage_unavailable(error.detail);
        default: return internal_error(error.message + ": " + error.detail);
    }
}

namespace {

// A picture of an asset that was not made, in the words of what was asked for.
Error not_shown(const TaskFailure& failure, std::string_view words, std::string_view hint) {
    const JobError& error = failure.error;
    if (failure.overloaded) return {ErrorCode::overloaded, error.message, error.detail, 1};
    switch (error.code) {
        case JobErrorCode::decode_failed:
        case JobErrorCode::source_too_large:
        case JobErrorCode::timeout:
        case JobErrorCode::resource_exhausted:
        case JobErrorCode::engine_crashed:
            return Error{ErrorCode::unsupported_media_type, std::string(words), error.detail}.with_hint(
                std::string(hint));
        case JobErrorCode::storage_unavailable: return storage_unavailable(error.detail);
        default: return internal_error(error.message + ": " + error.detail);
    }
}

}  // namespace

Error no_preview(const TaskFailure& failure) {
    return not_shown(failure, "there is no preview of this image",
                     "the picture is damaged, or too large to be shown in a moment");
}

Error no_view(const TaskFailure& failure) {
    return not_shown(failure, "this picture can't be shown in a moment",
                     "it is damaged, or takes too long to decode: make a tile job of it, whose tileset has addresses "
                     "for viewers, too");
}

Error no_cut(const TaskFailure& failure) {
    const JobError& error = failure.error;
    if (failure.overloaded) return {ErrorCode::overloaded, error.message, error.detail, 1};
    if (error.code == JobErrorCode::storage_unavailable) return storage_unavailable(error.detail);
    if (error.code == JobErrorCode::timeout)
        return {ErrorCode::overloaded, "the service is too busy to make this picture now", error.detail, 1};
    return internal_error(error.message + ": " + error.detail);
}

Error turn_refused(std::string_view what, const FairExecutor::Refused& refused) {
    const auto seconds = static_cast<int>(refused.try_again_after.count());
    const std::string many = "too many " + std::string(what);
    if (refused.reason == FairRefusal::account_has_too_many)
        return {ErrorCode::rate_limited, many + " of this account are waiting to be made", {}, seconds};
    return {ErrorCode::overloaded, many + " are waiting to be made, try again later", {}, seconds};
}

}  // namespace tessera::engine
