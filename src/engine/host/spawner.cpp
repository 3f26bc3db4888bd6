#include "engine/host/spawner.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>

#include "engine/wire/messages.hpp"

namespace tessera::engine {
namespace {

#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
constexpr bool fork_from_template = false;  // sanitizers keep threads and locks of their own
#else
constexpr bool fork_from_template = true;
#endif

constexpr int control_fd = 3;
constexpr off_t last_words_bytes = 16384;

// The file actions and attributes of a spawn: descriptors 0 to 2 to nothing or as ours, the control socket, no other;
// no signal blocked or ignored; a process group of its own.
class SpawnSettings {
  public:
    explicit SpawnSettings(int control) {
        ::posix_spawn_file_actions_init(&actions);
        ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
        ::posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
        ::posix_spawn_file_actions_adddup2(&actions, control, control_fd);
        ::posix_spawn_file_actions_addclosefrom_np(&actions, control_fd + 1);
        ::posix_spawnattr_init(&attributes);
        sigset_t none;
        sigset_t all;
        ::sigemptyset(&none);
        ::sigfillset(&all);
        ::posix_spawnattr_setsigmask(&attributes, &none);
        ::posix_spawnattr_setsigdefault(&attributes, &all);
        ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
        ::posix_spawnattr_setpgroup(&attributes, 0);
    }
    SpawnSettings(const SpawnSettings&) = delete;
    SpawnSettings& operator=(const SpawnSettings&) = delete;
    ~SpawnSettings() {
        ::posix_spawn_file_actions_destroy(&actions);
        ::posix_spawnattr_destroy(&attributes);
    }

    posix_spawn_file_actions_t actions{};
    posix_spawnattr_t attributes{};
};

// Memory that an engine can write a short last message to, and not a byte more.
Result<UniqueFd> make_last_words() {
    UniqueFd file(::memfd_create("engine", MFD_CLOEXEC | MFD_ALLOW_SEALING));
    if (!file) return from_errno("memfd_create");
    if (::ftruncate(file.get(), last_words_bytes) != 0 ||
        ::fcntl(file.get(), F_ADD_SEALS, F_SEAL_GROW | F_SEAL_SHRINK) != 0) {
        return from_errno("memfd");
    }
    return file;
}

constexpr uid_t nobody = 65534;

// `uid` becomes the one that the folder was given to: a container may not have the one that was asked for.
Result<ScratchPath> make_engine_folder(const std::filesystem::path& root, uid_t& uid) {
    auto folder = ScratchPath::create_folder(root);
    if (!folder || uid == 0) return folder;
    for (const uid_t owner : {uid, nobody}) {
        uid = owner;
        if (::chown(folder->path().c_str(), owner, owner) == 0) return folder;
    }
    return from_errno("chown " + folder->path().string());
}

}  // namespace

namespace {

// A template and all engines that were made from it, a process group of their own. It ends with the last of them, and
// then leaves no child behind: neither the template nor an engine that nobody has heard of, since the template was
// killed before it could tell its number. Until then the template is not waited for, so that the group's number stays
// ours.
class Family {
  public:
    explicit Family(pid_t made_from) : group_(made_from) {}
    Family(const Family&) = delete;
    Family& operator=(const Family&) = delete;
    ~Family() {
        ::kill(-group_, SIGKILL);
        while (::waitpid(-group_, nullptr, 0) > 0 || errno == EINTR) {
        }
    }

  private:
    pid_t group_;
};

}  // namespace

struct Spawner::Template {
    pid_t pid = -1;
    HostChannel control;
    std::shared_ptr<Family> family;  // where engines are copies of it

    Template() = default;
    Template(const Template&) = delete;
    Template& operator=(const Template&) = delete;
    ~Template() {
        if (pid < 0) return;
        ::kill(pid, SIGKILL);
        if (family) return;
        while (::waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
        }
    }
};

Spawner::Spawner(const PoolConfig& config) : config_(config) {}
Spawner::~Spawner() = default;

void Spawner::renew_template() {
    template_.reset();
}

Result<std::unique_ptr<Spawner::Template>> Spawner::start_template() const {
    auto ends = HostChannel::create();
    if (!ends) return ends.error();
    auto& [control, child_end] = *ends;
    // Above the number it is to have, or dup2 would leave it close-on-exec.
    const UniqueFd high(::fcntl(child_end.get(), F_DUPFD_CLOEXEC, control_fd + 1));
    SpawnSettings settings(high.get());
    std::string name = "tessera";
    std::string command = "engine";
    std::array<char*, 3> arguments{name.data(), command.data(), nullptr};
    std::array<char*, 1> environment{nullptr};
    auto made = std::make_unique<Template>();
    made->control = std::move(control);
    const int result = ::posix_spawn(&made->pid, config_.executable.c_str(), &settings.actions, &settings.attributes,
                                     arguments.data(), environment.data());
    if (result != 0) {
        made->pid = -1;
        errno = result;
        return from_errno("spawn " + config_.executable.string());
    }
    if (fork_from_template) made->family = std::make_shared<Family>(made->pid);
    return made;
}

Result<pid_t> Spawner::ask_for_engine(Template& made_from, const std::string& message, std::span<const int> files,
                                      Deadline deadline) const {
    if (!made_from.control.send(message, files, deadline)) return internal_error("engine: the template is gone");
    if (!fork_from_template) return std::exchange(made_from.pid, -1);
    const auto reply = made_from.control.receive(deadline);
    const auto object = reply ? parse_message(*reply) : std::nullopt;
    const auto pid = object ? number_in(*object, "pid") : std::nullopt;
    if (!pid || *pid <= 0) return internal_error("engine: the template could not make an engine");
    return static_cast<pid_t>(*pid);
}

Result<NewEngine> Spawner::start_engine(int slot, const EngineTerms& terms) {
    const bool tried_before = template_ != nullptr;
    auto made = try_start(slot, terms);
    // A template that served before may have been killed from outside; a fresh one that fails will fail again.
    if (!made && tried_before) made = try_start(slot, terms);
    return made;
}

Result<NewEngine> Spawner::try_start(int slot, const EngineTerms& terms) {
    const Deadline deadline = std::chrono::steady_clock::now() + config_.start_deadline;
    const bool root = ::geteuid() == 0 && config_.sandbox.uid_base != 0;
    uid_t uid = root ? config_.sandbox.uid_base + static_cast<uid_t>(slot) : 0;

    if (!template_) {
        auto made = start_template();
        if (!made) return made.error();
        template_ = std::move(*made);
    }
    auto folder = make_engine_folder(config_.scratch_root, uid);
    if (!folder) return folder.error();
    const UniqueFd opened(::open(folder->path().c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
    if (!opened) return from_errno("open " + folder->path().string());
    auto last_words = make_last_words();
    if (!last_words) return last_words.error();
    auto ends = HostChannel::create();
    if (!ends) return ends.error();
    auto& [channel, child_end] = *ends;

    const StartMessage start{fork_from_template,     ::getpid(),   uid, terms.memory_limit_bytes,
                             terms.file_limit_bytes, terms.threads};
    const std::array<int, 3> files{child_end.get(), opened.get(), last_words->get()};
    std::shared_ptr<void> family = template_->family;
    const auto pid = ask_for_engine(*template_, encode(start), files, deadline);
    if (!pid || !fork_from_template) template_.reset();  // a new one next time
    if (!pid) return pid.error();
    child_end.reset();

    UniqueFd pidfd(static_cast<int>(::syscall(SYS_pidfd_open, *pid, 0)));
    auto process = std::make_unique<EngineProcess>(*pid, std::move(pidfd), std::move(channel), std::move(*folder),
                                                   std::move(*last_words), uid);
    process->relatives = std::move(family);
    const auto ready = process->channel().receive(deadline);
    const auto report = ready ? parse_message(*ready) : std::nullopt;
    if (!report || kind_of(*report) != kind::ready) {
        template_.reset();
        const Ending ending = process->kill_and_reap();
        return internal_error("engine: did not start (" + std::string(ending.exited ? "exit " : "signal ") +
                              std::to_string(ending.code) + ") " + process->last_words());
    }
    return NewEngine{std::move(process), decode_protections(*report)};
}

}  // namespace tessera::engine
