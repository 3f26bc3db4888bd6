#include "engine/host/exchange.hpp"

#include <fcntl.h>

#include <algorithm>
#include <boost/json/serialize.hpp>

#include "core/log.hpp"
#include "engine/host/products.hpp"
#include "engine/wire/messages.hpp"
#include "operations/registry.hpp"

namespace tessera::engine {
namespace json = boost::json;
namespace {

constexpr std::chrono::milliseconds disk_look_interval{500};
constexpr std::int64_t probe_file_bytes = 65'536;  // for last words: a probe writes nothing

constexpr std::chrono::nanoseconds shortest_look = std::chrono::milliseconds(10);  // at processor time

// A descriptor of the same file that can only read and has an offset of its own, whatever the given one can do.
Result<UniqueFd> read_only(int file) {
    return open_for_reading("/proc/self/fd/" + std::to_string(file));
}

JobError unavailable(const Error& error) {
    return {JobErrorCode::storage_unavailable, "a file could not be read or written", error.detail};
}

// The request as it is sent: what the task asks for, with the means that the host gives it.
operations::RunRequest request_of(const Task& task, int threads, int helpers) {
    operations::RunRequest request = task.request;
    request.limits.time_budget = task.deadline * 3 / 4;
    request.limits.threads = threads;
    request.limits.helpers = helpers;
    return request;
}

// The largest file is what the task makes, or raw pixels that an operation spools on the way; the excess over the
// artifact's own limit lets the operation see it and say so.
std::int64_t file_allowance(const operations::RunLimits& limits) {
    constexpr std::int64_t bytes_per_pixel = 8;
    constexpr std::int64_t slack = 64 << 20;
    return limits.max_artifact_bytes + slack + bytes_per_pixel * (limits.max_input_pixels + limits.max_output_pixels);
}

// All files together: what is spooled and what is made of it.
std::int64_t disk_allowance(const operations::RunLimits& limits) {
    return 2 * file_allowance(limits);
}

Allowance allowance_of(const operations::RunLimits& limits, std::chrono::milliseconds deadline) {
    const int threads = std::max(1, limits.threads + limits.helpers);
    return {std::chrono::ceil<std::chrono::seconds>(deadline) * threads, file_allowance(limits)};
}

// Opens what the engine asked for, if the task has it.
Result<UniqueFd> open_for_engine(const Task& task, const json::object& message) {
    const std::string_view what = text_in(message, "what");
    const std::int64_t index = number_in(message, "index").value_or(-1);
    const bool layer = what == "layer";
    const operations::RunRequest& request = task.request;
    const std::size_t count =
        layer ? (request.tileset ? request.tileset->version.layers.size() : 0) : request.images.size();
    const auto& open = layer ? task.open_layer : task.open_image;
    if (index < 0 || static_cast<std::size_t>(index) >= count || !open) return internal_error("engine: no such source");
    auto file = open(static_cast<std::size_t>(index));
    if (!file || (::fcntl(file->get(), F_GETFL) & O_ACCMODE) == O_RDONLY) return file;
    return read_only(file->get());
}

class RunExchange {
  public:
    RunExchange(EngineProcess& engine, const Task& task, const TaskFolder& folder, const HostSide& host,
                Deadline deadline)
        : engine_(engine),
          task_(task),
          folder_(folder),
          host_(host),
          deadline_(deadline),
          work_(request_of(task, host.config.threads_per_job, engine.borrowed * host.config.threads_per_job)) {}

    Exchanged<Outcome> run() {
        json::object request{{"kind", kind::run}, {"folder", folder_.name()}, {"request", operations::to_json(work_)}};
        add(request, allowance_of(work_.limits, task_.deadline));
        if (auto sent = engine_.channel().send(json::serialize(request), {}, deadline_); !sent) return sent.error();
        while (true) {
            const auto frame = engine_.channel().receive(std::min(deadline_, next_look_));
            const auto now = std::chrono::steady_clock::now();
            if (now >= next_look_) {
                if (takes_too_much_disk()) return out_of_disk();
                next_look_ = now + disk_look_interval;
                if (!frame && frame.error() == Broken::timed_out && now < deadline_) continue;
            }
            if (!frame) return frame.error();
            const auto message = parse_message(*frame);
            if (!message) return Broken::nonsense;
            const std::string_view what = kind_of(*message);
            if (what == kind::done) return finish(*message);
            if (what == kind::failed) return blame(decode_error(*message));
            if (what == kind::progress) {
                pass_on(*message);
            } else if (what == kind::open) {
                if (auto sent = hand_over(*message); !sent) return sent.error();
            } else {
                return Broken::nonsense;
            }
        }
    }

  private:
    [[nodiscard]] bool takes_too_much_disk() const {
        const FolderUse use = engine_.disk_use();
        return use.bytes > disk_allowance(work_.limits) || use.names > most_files;
    }

    // It goes on writing until it is dead.
    JobError out_of_disk() {
        engine_.kill_and_reap();
        return {JobErrorCode::resource_exhausted, "the work needed more disk space than the service allows",
                "engine: its files were over the limit"};
    }

    void pass_on(const json::object& message) {
        const double value = fraction_in(message, "value").value_or(0);
        if (value <= progress_ || !task_.progress) return;
        progress_ = value;
        task_.progress(value);
    }

    Result<void, Broken> hand_over(const json::object& message) {
        const auto file = open_for_engine(task_, message);
        const std::string reply = json::serialize(json::object{{"kind", kind::file}});
        if (!file) {
            source_error_ = file.error();
            return engine_.channel().send(reply, {}, deadline_);
        }
        const int passed = file->get();
        return engine_.channel().send(reply, std::span(&passed, 1), deadline_);
    }

    // An operation that was refused a source can only say that it failed; the host knows why.
    JobError blame(JobError error) const {
        if (!source_error_) return error;
        if (source_error_->code == ErrorCode::asset_not_found || source_error_->code == ErrorCode::tileset_not_found ||
            source_error_->code == ErrorCode::not_found) {
            return {JobErrorCode::source_unavailable, "a source of the job is gone", source_error_->detail};
        }
        return unavailable(*source_error_);
    }

    Exchanged<Outcome> finish(const json::object& message) {
        const json::value* given = message.if_contains("manifest");
        if (given == nullptr || !given->is_object()) return Broken::nonsense;
        const auto manifest = operations::manifest_from_json(given->get_object());
        if (!manifest) return Broken::nonsense;
        const auto plan = host_.operations.plan(work_);
        if (!plan) return JobError{JobErrorCode::internal_error, "the work failed", plan.error().detail};
        auto taken = take_products(*plan, work_, *manifest, folder_.descriptor(),
                                   {host_.config.scratch_root, work_.limits.max_artifact_bytes, host_.writers});
        if (!taken && taken.error().code != JobErrorCode::internal_error) return std::move(taken).error();
        // One that does not say what it made, or kept some of it, is not used again.
        if (!taken || taken->writer_left) {
            engine_.misbehaved = true;
            log::warning("engine.misbehaved", {{"pid", engine_.pid()},
                                               {"operation", work_.operation},
                                               {"detail", taken ? "it kept a file" : taken.error().detail}});
        }
        if (!taken) return std::move(taken).error();
        return std::move(taken->outcome);
    }

    EngineProcess& engine_;
    const Task& task_;
    const TaskFolder& folder_;
    const HostSide& host_;
    Deadline deadline_;
    operations::RunRequest work_;
    Deadline next_look_ = std::chrono::steady_clock::now() + disk_look_interval;
    double progress_ = 0;
    std::optional<Error> source_error_;
};

// The answer to a probe. One that uses more of the processor than headers do gives way to its neighbours.
Result<std::string, Broken> receive_probed(EngineProcess& engine, const Manner& manner, Deadline deadline) {
    const auto before = engine.processor_time();
    while (!engine.has_given_way()) {
        const auto left = manner.patience - (engine.processor_time() - before);
        const Deadline next = std::chrono::steady_clock::now() + std::max(left, shortest_look);
        auto frame = engine.channel().receive(std::min(deadline, next));
        if (frame || frame.error() != Broken::timed_out || next >= deadline) return frame;
        if (engine.processor_time() - before >= manner.patience) engine.give_way(manner.niceness);
    }
    return engine.channel().receive(deadline);
}

}  // namespace

Exchanged<ImageInfo> exchange_probe(EngineProcess& engine, int file, const ProbeLimits& limits,
                                    const PoolConfig& config, const Manner& manner, Deadline deadline) {
    const auto reopened = read_only(file);
    if (!reopened) return unavailable(reopened.error());
    imaging::HeaderLimits header;
    header.max_edge = limits.max_edge_pixels;
    if (limits.max_megapixels) header.max_pixels = *limits.max_megapixels * 1'000'000;
    const Allowance allowance{std::chrono::ceil<std::chrono::seconds>(config.probe_processor_time), probe_file_bytes};
    const int passed = reopened->get();
    if (auto sent = engine.channel().send(encode(header, allowance), std::span(&passed, 1), deadline); !sent)
        return sent.error();
    const auto frame = receive_probed(engine, manner, deadline);
    if (!frame) return frame.error();
    const auto message = parse_message(*frame);
    if (!message) return Broken::nonsense;
    if (kind_of(*message) == kind::failed) return decode_error(*message);
    const auto info = kind_of(*message) == kind::probed ? decode_image(*message) : std::nullopt;
    if (!info) return Broken::nonsense;
    return *info;
}

Exchanged<Outcome> exchange_run(EngineProcess& engine, const Task& task, const HostSide& host, Deadline deadline) {
    const auto folder = engine.task_folder();
    if (!folder) return unavailable(folder.error());
    auto result = RunExchange(engine, task, **folder, host, deadline).run();
    engine.clear_folders(host.writers);
    return result;
}

}  // namespace tessera::engine
