// The host's side of the engines: warm sandboxed children that are reused, watched, killed when they overstay and
// replaced. Image bytes are parsed in the children and nowhere else.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "engine/host/cut.hpp"
#include "engine/host/preview.hpp"
#include "engine/host/task.hpp"
#include "engine/wire/protection.hpp"

namespace tessera::engine {

struct SandboxConfig {
    bool required = false;            // refuse to start where the kernel lacks a part
    std::uint32_t uid_base = 70'000;  // as root: engine n runs as uid and gid uid_base + n (nobody where that can't be)
};

struct PoolConfig {
    std::filesystem::path
        scratch_root;  // emptied at start; on the blob store's filesystem, so that outputs move by rename
    std::filesystem::path executable = "/proc/self/exe";  // run as `executable engine`
    int job_engines = 2;
    int probe_engines = 3;  // of their own, so that uploads never wait behind jobs; one account uses all but one
    std::size_t max_waiting_probes = 128;  // of one account
    int preview_engines = 1;               // of their own too, started when they are needed; for cuts as well
    int threads_per_job = 1;
    bool lend_idle_slots = true;  // their threads, to jobs whose work spreads; such threads give way to other work
    std::int64_t memory_limit_bytes = std::int64_t{4} << 30;  // per engine
    std::int64_t max_file_bytes = std::int64_t{256} << 30;    // that an engine may ever write
    bool share_between_accounts = false;  // let an engine work for one account after another, with the same memory
    int kept_engines = 64;  // idle ones that wait for the next task of their account, beside one for each slot
    int recycle_after_tasks = 250;
    std::int64_t recycle_above_bytes = std::int64_t{256} << 20;  // resident between tasks
    std::chrono::milliseconds recycle_when_idle{std::chrono::minutes(10)};
    std::chrono::milliseconds probe_deadline{10'000};  // by the clock on the wall: past it, the machine is at fault
    std::chrono::milliseconds probe_processor_time{5'000};  // past it, the image is
    std::chrono::milliseconds preview_deadline{20'000};
    std::chrono::milliseconds start_deadline{30'000};
    std::chrono::milliseconds max_wait{60'000};  // for an engine to become free, or a probe's turn to come
    SandboxConfig sandbox;
};

struct PoolCounters {
    std::uint64_t spawned = 0;
    std::uint64_t recycled = 0;  // replaced in good order
    std::uint64_t crashed = 0;   // died on their own
    std::uint64_t killed = 0;    // by us: deadline, stop, or out of memory
    std::uint64_t tasks = 0;     // finished, well or not
    std::uint64_t probes = 0;
    std::uint64_t previews = 0;
    std::int64_t engines = 0;  // alive now
    std::int64_t busy = 0;
    std::int64_t waiting = 0;         // callers in want of an engine
    std::int64_t lent = 0;            // slots whose threads a job in another one uses
    std::int64_t probes_waiting = 0;  // for their turn
    std::int64_t probes_running = 0;
    std::chrono::nanoseconds oldest_probe{0};  // that waits: for how long
};

class Pool final : public Prober, public Previewer, public Runner, public Cutter {
  public:
    // Starts the engines and waits until the first has proved itself; fails when none can start, or when the sandbox is
    // required and incomplete.
    static Result<std::unique_ptr<Pool>> start(PoolConfig config);
    ~Pool() override;  // stop()

    void probe_in_turn(int file, const Owner& owner, const ProbeLimits& limits, Probed probed) override;
    Result<void> check_room(const Uuid& account) override;
    void preview_in_turn(PreviewTask task, Previewed previewed) override;
    // In the same turns as previews, by the same engines.
    void cut_in_turn(CutTask task, Made made) override;
    void view_in_turn(ViewTask task, Made made) override;
    // A probe at once, on the caller's thread, with the next engine that is free.
    Result<ImageInfo> probe(int file, const Owner& owner, const ProbeLimits& limits, const std::stop_token& stop = {});
    Result<Outcome, JobError> run(const Task& task) override;

    // Probes and previews in turn are refused from now on, those that wait and those that run. Safe twice.
    void refuse_probes();
    // Kills what runs, ends all engines and waits for them. Safe twice. Callers still inside get errors.
    void stop();

    [[nodiscard]] PoolCounters counters() const;
    [[nodiscard]] std::vector<Protection> protections() const;
    [[nodiscard]] bool ready() const;  // engines are there or can be started, for /readyz

  private:
    class Impl;
    std::unique_ptr<Impl> impl_;

  public:
    explicit Pool(std::unique_ptr<Impl> impl);  // for start(): nobody else has an Impl
};

}  // namespace tessera::engine
