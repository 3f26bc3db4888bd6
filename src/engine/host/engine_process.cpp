#include "engine/host/engine_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <system_error>

#include "engine/host/proc_file.hpp"

namespace tessera::engine {

EngineProcess::EngineProcess(pid_t pid, UniqueFd pidfd, HostChannel channel, ScratchPath folder, UniqueFd last_words,
                             uid_t uid)
    : idle_since(std::chrono::steady_clock::now()),
      pid_(pid),
      pidfd_(std::move(pidfd)),
      channel_(std::move(channel)),
      folder_(std::move(folder)),
      last_words_(std::move(last_words)),
      uid_(uid) {}

EngineProcess::~EngineProcess() {
    kill_and_reap();
}

bool EngineProcess::alive() const {
    pollfd ended{pidfd_.get(), POLLIN, 0};
    return !reaped_ && ::poll(&ended, 1, 0) == 0;
}

std::int64_t EngineProcess::resident_bytes() const {
    const std::string text = read_proc_file("/proc/" + std::to_string(pid_) + "/statm");
    const auto space = std::min(text.find(' '), text.size());
    return std::strtoll(text.c_str() + space, nullptr, 10) * ::sysconf(_SC_PAGESIZE);
}

Result<TaskFolder*> EngineProcess::task_folder() {
    if (!task_folder_) {
        auto made = TaskFolder::make(folder_.path(), uid_);
        if (!made) return made.error();
        task_folder_.emplace(std::move(*made));
    }
    return &*task_folder_;
}

void EngineProcess::clear_folders(const WriterCheck& writers) {
    if (!task_folder_ || task_folder_->clear(writers)) return;
    misbehaved = true;
    kill_and_reap();  // or it would go on while its folder is removed
    task_folder_.reset();
}

FolderUse EngineProcess::disk_use() const {
    FolderUse use = task_folder_ ? use_of(task_folder_->descriptor()) : FolderUse{};
    const UniqueFd folder(::open(folder_.path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!folder) return use;
    const FolderUse own = use_of(folder.get());
    return {use.names + own.names - (task_folder_ ? 1 : 0), use.bytes + own.bytes};
}

std::chrono::nanoseconds EngineProcess::processor_time() const {
    clockid_t clock{};
    timespec used{};
    if (::clock_getcpuclockid(pid_, &clock) != 0 || ::clock_gettime(clock, &used) != 0) return {};
    return std::chrono::seconds(used.tv_sec) + std::chrono::nanoseconds(used.tv_nsec);
}

// Niceness is a thread's own, and new threads have that of their maker.
void EngineProcess::give_way(int niceness) {
    has_given_way_ = true;
    std::error_code gone;
    const std::filesystem::path threads = "/proc/" + std::to_string(pid_) + "/task";
    for (const auto& thread : std::filesystem::directory_iterator(threads, gone)) {
        const auto number = static_cast<id_t>(std::strtoul(thread.path().filename().c_str(), nullptr, 10));
        ::setpriority(PRIO_PROCESS, number, niceness);
    }
}

Ending EngineProcess::kill_and_reap() {
    if (reaped_) return ending_;
    // Does nothing to one that has ended already. The number is ours until it is waited for, so that kill is as safe.
    if (::syscall(SYS_pidfd_send_signal, pidfd_.get(), SIGKILL, nullptr, 0) != 0) ::kill(pid_, SIGKILL);
    rusage usage{};
    int status = 0;
    pid_t waited = -1;
    do {
        waited = ::wait4(pid_, &status, 0, &usage);
    } while (waited < 0 && errno == EINTR);
    reaped_ = true;
    if (waited == pid_) {
        ending_.exited = WIFEXITED(status);
        ending_.code = ending_.exited ? WEXITSTATUS(status) : WTERMSIG(status);
        ending_.peak_bytes = static_cast<std::int64_t>(usage.ru_maxrss) * 1024;
    }
    return ending_;
}

std::string EngineProcess::last_words() const {
    std::array<char, 1024> text{};
    const ssize_t got = ::pread(last_words_.get(), text.data(), text.size(), 0);
    std::string words(text.data(), got > 0 ? static_cast<std::size_t>(got) : 0);
    if (const auto end = words.find('\0'); end != std::string::npos) words.resize(end);
    std::ranges::replace_if(
        words, [](char c) { return c < ' ' || c > '~'; }, ' ');
    return words;
}

}  // namespace tessera::engine
