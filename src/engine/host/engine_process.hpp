// One engine as its host sees it: a process to talk to, to bound, to kill, and to learn the end of.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "core/file.hpp"
#include "core/job.hpp"
#include "core/uuid.hpp"
#include "engine/host/host_channel.hpp"
#include "engine/host/scratch.hpp"
#include "engine/host/task_folder.hpp"

namespace tessera::engine {

// How a process ended.
struct Ending {
    bool exited = false;  // by itself, with `code`; otherwise by signal `code`
    int code = 0;
    std::int64_t peak_bytes = 0;  // resident
};

class EngineProcess {
  public:
    EngineProcess(pid_t pid, UniqueFd pidfd, HostChannel channel, ScratchPath folder, UniqueFd last_words, uid_t uid);
    EngineProcess(const EngineProcess&) = delete;
    EngineProcess& operator=(const EngineProcess&) = delete;
    ~EngineProcess();  // kills and reaps what still lives

    [[nodiscard]] pid_t pid() const { return pid_; }
    [[nodiscard]] HostChannel& channel() { return channel_; }
    [[nodiscard]] const std::filesystem::path& folder() const { return folder_.path(); }
    [[nodiscard]] bool alive() const;
    [[nodiscard]] std::int64_t resident_bytes() const;

    // The folder for the next task.
    Result<TaskFolder*> task_folder();
    // After a task: removes what it left. An engine that still has some of it has misbehaved.
    void clear_folders(const WriterCheck& writers);
    // What it has on the disk now, in its folder and the task's.
    [[nodiscard]] FolderUse disk_use() const;

    Ending kill_and_reap();
    // What the process wrote to its standard error, such as an abort message.
    [[nodiscard]] std::string last_words() const;

    [[nodiscard]] std::chrono::nanoseconds processor_time() const;
    // Lets go of the processor for others, from now on and for good.
    void give_way(int niceness);
    [[nodiscard]] bool has_given_way() const { return has_given_way_; }

    std::optional<Uuid> account;      // that it has worked for
    std::shared_ptr<void> relatives;  // ends when the last engine of the same origin has ended
    int slot = 0;                     // its number among the living
    int borrowed = 0;                 // slots whose threads its task may use beside its own
    int tasks_done = 0;
    bool misbehaved = false;  // to be replaced
    std::chrono::steady_clock::time_point idle_since;

  private:
    pid_t pid_;
    UniqueFd pidfd_;
    HostChannel channel_;
    ScratchPath folder_;
    std::optional<TaskFolder> task_folder_;
    UniqueFd last_words_;
    uid_t uid_;
    bool has_given_way_ = false;
    bool reaped_ = false;
    Ending ending_;
};

}  // namespace tessera::engine
