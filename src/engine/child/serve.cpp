#include "engine/child/serve.hpp"

#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <boost/json/serialize.hpp>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <mutex>
#include <new>
#include <string>

#include "engine/child/hooks.hpp"
#include "engine/sandbox/sandbox.hpp"
#include "engine/wire/messages.hpp"
#include "imaging/picture/probe.hpp"
#include "imaging/pixels/vips_runtime.hpp"
#include "operations/registry.hpp"

namespace tessera::engine {
namespace json = boost::json;
namespace {

constexpr std::size_t trim_above_bytes = 8 << 20;
// Without a task, after which the heap is given back: longer than accounts that take turns leave their engines alone,
// since giving it back and taking it again costs a third of a tiny task.
constexpr std::chrono::milliseconds rest{2'000};
constexpr int kept_at_rest = 128 << 10;
constexpr int kept_between_tasks = 32 << 20;

// Gives back what a task left in the heap, when that is worth the page faults of the next one.
void trim_heap() {
    if (::mallinfo2().fordblks > trim_above_bytes) ::malloc_trim(0);
}

// malloc_trim leaves the end of a thread's heap alone, which only a free() of some size beside it gives back.
void give_heap_back() {
    ::mallopt(M_TRIM_THRESHOLD, kept_at_rest);
    void* volatile last = std::malloc(kept_at_rest);  // NOLINT(cppcoreguidelines-no-malloc)
    std::free(last);                                  // NOLINT(cppcoreguidelines-no-malloc)
    ::mallopt(M_TRIM_THRESHOLD, kept_between_tasks);
    ::malloc_trim(0);
}

std::optional<ReceivedFrame> next_task(const ChildChannel& channel) {
    if (!channel.hears_within(rest)) give_heap_back();
    return channel.receive();
}

// A task's line to the host. Operations use it from any of their threads.
class HostLine {
  public:
    explicit HostLine(const ChildChannel& channel) : channel_(channel) {}

    Result<UniqueFd> open(std::string_view what, std::size_t index) {
        const std::scoped_lock lock(mutex_);
        const bool sent =
            channel_.send(json::serialize(json::object{{"kind", kind::open}, {"what", what}, {"index", index}}));
        auto reply = sent ? channel_.receive() : std::nullopt;
        if (!reply) ::_exit(0);
        if (reply->files.empty()) return storage_unavailable("the host gave no file");
        UniqueFd file = std::move(reply->files.front());
        if (what == "image") hooks::on_image(file.get(), hooks::Moment::run);
        return file;
    }

    // Passes on what is worth a message: a step of a hundredth, ten times a second.
    void progress(double value) {
        const auto now = std::chrono::steady_clock::now();
        const std::scoped_lock lock(mutex_);
        if (!(value - last_ >= 0.01) || now < next_) return;
        last_ = std::min(value, 1.0);
        next_ = now + std::chrono::milliseconds(100);
        if (!channel_.send(json::serialize(json::object{{"kind", kind::progress}, {"value", last_}}))) ::_exit(0);
    }

  private:
    const ChildChannel& channel_;
    std::mutex mutex_;
    double last_ = 0;
    std::chrono::steady_clock::time_point next_;
};

// The task's own folder as the working one, so that no path has to be handed around or be reachable.
class WorkingFolder {
  public:
    WorkingFolder(int parent, const std::string& name) : parent_(parent) { entered_ = ::chdir(name.c_str()) == 0; }
    WorkingFolder(const WorkingFolder&) = delete;
    WorkingFolder& operator=(const WorkingFolder&) = delete;
    ~WorkingFolder() {
        if (::fchdir(parent_) != 0) ::_exit(1);
    }
    [[nodiscard]] bool entered() const { return entered_; }

  private:
    int parent_;
    bool entered_;
};

JobError internal(std::string detail) {
    return {JobErrorCode::internal_error, "the work failed", std::move(detail)};
}

// Operations report what libvips said; that it ran out of memory is ours to recognise, the limit being ours.
JobError with_memory_in_mind(JobError error) {
    const bool vague = error.code == JobErrorCode::decode_failed || error.code == JobErrorCode::internal_error;
    if (vague && (imaging::is_out_of_memory(error.message) || imaging::is_out_of_memory(error.detail))) {
        error.code = JobErrorCode::resource_exhausted;
        error.message = "the work needed more memory than the service allows";
    }
    return error;
}

std::string probe_image(const ReceivedFrame& frame, const json::object& message) {
    if (frame.files.size() != 1) return encode(internal("a probe came with no image"));
    const int file = frame.files.front().get();
    hooks::on_image(file, hooks::Moment::probe);
    const auto info = imaging::probe(file, decode_limits(message));
    return info ? encode(*info) : encode(with_memory_in_mind(info.error()));
}

std::string run_operation(const ChildChannel& channel, int folder, const json::object& message) {
    static const operations::Registry registry = operations::Registry::built_in();
    const json::value* given = message.if_contains("request");
    if (given == nullptr || !given->is_object()) return encode(internal("a task came with no request"));
    auto request = operations::run_request_from_json(given->get_object());
    if (!request) return encode(internal("the request can't be read: " + request.error().detail));
    const operations::Operation* operation = registry.find_runnable(request->operation);
    if (operation == nullptr) return encode(internal("no operation " + request->operation));

    const WorkingFolder working(folder, std::string(text_in(message, "folder")));
    if (!working.entered()) return encode(internal("no folder to work in"));
    HostLine host(channel);
    const operations::RunContext context{
        *request,
        ".",
        [&](std::size_t index) { return host.open("image", index); },
        [&](std::size_t index) { return host.open("layer", index); },
        [&](double value) { host.progress(value); },
        [] { return false; },  // who is no longer wanted is killed
    };
    const auto manifest = operation->run(context);
    if (!manifest) return encode(with_memory_in_mind(manifest.error()));
    return json::serialize(json::object{{"kind", kind::done}, {"manifest", operations::to_json(*manifest)}});
}

std::string handle(const ChildChannel& channel, int folder, const ReceivedFrame& frame) {
    try {
        const auto message = parse_message(frame.body);
        if (!message) return encode(internal("a message that is no JSON object"));
        const Allowance allowance = decode_allowance(*message);
        limit_task(allowance.processor_time, allowance.file_bytes);
        if (kind_of(*message) == kind::probe) return probe_image(frame, *message);
        if (kind_of(*message) == kind::run) return run_operation(channel, folder, *message);
        return encode(internal("a message of an unknown kind"));
    } catch (const std::bad_alloc&) {
        return encode(JobError{JobErrorCode::resource_exhausted, "the work needed more memory than the service allows",
                               "bad_alloc"});
    } catch (const std::exception& error) {
        return encode(with_memory_in_mind(internal(error.what())));
    }
}

}  // namespace

void serve(const ChildChannel& channel, int folder, int threads) {
    // Fixed, where the C library would raise both with the largest block that it sees.
    ::mallopt(M_MMAP_THRESHOLD, kept_between_tasks / 2);
    ::mallopt(M_TRIM_THRESHOLD, kept_between_tasks);
    imaging::set_vips_threads(threads);
    while (auto frame = next_task(channel)) {
        const bool small = frame->files.size() == 1;
        const std::string answer = handle(channel, folder, *frame);
        imaging::take_vips_error();
        if (!channel.send(answer)) return;
        if (!small) trim_heap();  // after the answer: the host does not wait for it
    }
}

}  // namespace tessera::engine
