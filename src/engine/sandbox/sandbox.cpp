#include "engine/sandbox/sandbox.hpp"

#include <fcntl.h>
#include <grp.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <iterator>
#include <string>

namespace tessera::engine {
namespace {

constexpr uid_t nobody = 65534;

Protection failed(std::string name) {
    return {std::move(name), false, std::strerror(errno)};
}

bool become(uid_t uid) {
    return ::setgroups(0, nullptr) == 0 && ::setresgid(uid, uid, uid) == 0 && ::setresuid(uid, uid, uid) == 0;
}

bool cap(__rlimit_resource resource, rlim_t value) {
    rlimit now{};
    ::getrlimit(resource, &now);
    const rlim_t allowed = std::min(value, now.rlim_max);
    const rlimit wanted{allowed, allowed};
    return ::setrlimit(resource, &wanted) == 0;
}

}  // namespace

Protection forbid_new_privileges() {
    if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return failed("no_new_privs");
    return {"no_new_privs", true, {}};
}

// No network device but a dead loopback, and nobody's shared memory. Costs half a millisecond.
Protection leave_namespaces() {
    if (::geteuid() != 0) return {"namespaces", false, "not started as root"};
    if (::unshare(CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS) != 0) return failed("namespaces");
    return {"namespaces", true, "net, ipc, uts"};
}

Protection change_root(int folder) {
    if (::fchdir(folder) != 0) return failed("chroot");
    if (::geteuid() != 0) return {"chroot", false, "not started as root"};
    if (::chroot(".") != 0) return failed("chroot");
    return {"chroot", true, {}};
}

Protection drop_privileges(uid_t uid) {
    if (::geteuid() != 0) return {"privilege_drop", false, "not started as root"};
    if (uid == 0) return {"privilege_drop", false, "switched off"};
    if (!become(uid) && !become(nobody)) return failed("privilege_drop");
    return {"privilege_drop", true, "uid " + std::to_string(::geteuid())};
}

Protection limit_resources(const SandboxPlan& plan, bool own_uid) {
    bool ok = cap(RLIMIT_CORE, 0) && cap(RLIMIT_FSIZE, static_cast<rlim_t>(plan.file_limit_bytes)) &&
              cap(RLIMIT_NOFILE, 512) && cap(RLIMIT_MEMLOCK, 0) && cap(RLIMIT_MSGQUEUE, 0);
    // Counted over all processes of the user: with a shared uid it would count other people's.
    if (own_uid) ok = cap(RLIMIT_NPROC, 512) && ok;
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // whose shadow memory is terabytes
    if (plan.memory_limit_bytes > 0) {
        const auto bytes = static_cast<rlim_t>(plan.memory_limit_bytes);
        // What is really written to is counted by DATA; AS also counts reservations, libraries and mapped sources.
        ok = cap(RLIMIT_DATA, bytes) && cap(RLIMIT_AS, bytes * 2 + (rlim_t{2} << 30)) && ok;
    }
#endif
    if (!ok) return failed("rlimits");
    return {"rlimits", true, "memory, file size, files, processes; per task: processor time, file size"};
}

bool enter_sandbox(const SandboxPlan& plan, std::vector<Protection>& report) {
    report.push_back(forbid_new_privileges());
    report.push_back(leave_namespaces());
    report.push_back(change_root(plan.folder));
    report.push_back(drop_privileges(plan.uid));
    const bool own_uid = report.back().in_force;

    // A change of uid clears the first of these, so they come after it.
    ::prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    if (::getppid() != plan.host) return false;
    ::prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);

    report.push_back(limit_resources(plan, own_uid));
    report.push_back(restrict_files(plan.folder));
    report.push_back(restrict_system_calls());
    return true;
}

void limit_task(std::chrono::seconds processor_time, std::int64_t file_bytes) {
    rusage used{};
    ::getrusage(RUSAGE_SELF, &used);
    const auto so_far = std::chrono::seconds(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
                        std::chrono::microseconds(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
    const auto until = (std::chrono::ceil<std::chrono::seconds>(so_far) + processor_time).count();
    rlimit processor{};
    ::getrlimit(RLIMIT_CPU, &processor);
    processor.rlim_cur = std::min(static_cast<rlim_t>(until), processor.rlim_max);
    ::setrlimit(RLIMIT_CPU, &processor);
    rlimit file{};
    ::getrlimit(RLIMIT_FSIZE, &file);
    file.rlim_cur = std::min(static_cast<rlim_t>(file_bytes), file.rlim_max);
    ::setrlimit(RLIMIT_FSIZE, &file);
}

std::vector<Protection> missed(const std::vector<Protection>& report) {
    std::vector<Protection> parts;
    std::ranges::copy_if(report, std::back_inserter(parts), [](const Protection& part) {
        const bool spare = part.name == "namespaces" || part.name == "chroot";  // landlock and seccomp do as much
        return !part.in_force && !spare && part.note != "not started as root";
    });
    return parts;
}

bool is_complete(const std::vector<Protection>& report) {
    const auto has = [&](std::string_view name) {
        return std::ranges::any_of(report, [&](const Protection& part) { return part.name == name && part.in_force; });
    };
    return has("landlock") && has("seccomp") && missed(report).empty();
}

}  // namespace tessera::engine
