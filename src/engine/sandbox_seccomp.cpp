// The system calls that decoding, encoding and writing to the scratch folder need, and no other.
#include <sched.h>
#include <seccomp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <memory>
#include <string>

#include "core/give_way.hpp"
#include "engine/sandbox.hpp"

namespace tessera::engine {
namespace {

constexpr const char* allowed[] = {
    // memory
    "brk",
    "mmap",
    "munmap",
    "mremap",
    "mprotect",
    "madvise",
    // files that are open
    "read",
    "readv",
    "pread64",
    "preadv",
    "write",
    "writev",
    "pwrite64",
    "pwritev",
    "lseek",
    "fstat",
    "ftruncate",
    "fallocate",
    "fsync",
    "fdatasync",
    "fadvise64",
    "close",
    "dup",
    "fcntl",
    "getdents64",
    "copy_file_range",
    // files by name: Landlock says which
    "open",
    "openat",
    "stat",
    "lstat",
    "newfstatat",
    "statx",
    "access",
    "faccessat",
    "readlink",
    "readlinkat",
    "unlink",
    "unlinkat",
    "rename",
    "renameat",
    "renameat2",
    "mkdir",
    "mkdirat",
    "rmdir",
    "getcwd",
    "chdir",
    "fchdir",
    // threads and locks
    "futex",
    "set_robust_list",
    "rseq",
    "sched_yield",
    "sched_getaffinity",
    "sched_getparam",
    "sched_getscheduler",
    "sched_get_priority_max",
    "sched_get_priority_min",
    "membarrier",
    "getcpu",
    "exit",
    "exit_group",
    "gettid",
    "getpid",
    "getppid",
    "getuid",
    "geteuid",
    "getgid",
    "getegid",
    // signals to itself
    "rt_sigaction",
    "rt_sigprocmask",
    "rt_sigreturn",
    "sigaltstack",
    "restart_syscall",
    // the channel to the host, which is open already
    "sendmsg",
    "recvmsg",
    "poll",
    "ppoll",
#if defined(__SANITIZE_ADDRESS__)  // it learns through a pipe whether memory can be read
    "pipe",
    "pipe2",
#endif
    // time and chance
    "clock_gettime",
    "clock_getres",
    "clock_nanosleep",
    "nanosleep",
    "gettimeofday",
    "time",
    "times",
    "getrandom",
    "getrusage",
    "sysinfo",
    "uname",
};

// No decoder ever makes these: a process that does is no longer ours, and ends on the spot.
constexpr const char* deadly[] = {
    "execve",
    "execveat",
    "fork",
    "vfork",
    "ptrace",
    "process_vm_readv",
    "mount",
    "umount2",
    "pivot_root",
    "process_vm_writev",
    "init_module",
    "finit_module",
    "kexec_load",
    "bpf",
    "perf_event_open",
    "keyctl",
    "add_key",
    "request_key",
    "setns",
    "unshare",
    "chroot",
    "userfaultfd",
    "io_uring_setup",
    "pidfd_open",
    "pidfd_getfd",
    "pidfd_send_signal",
    "open_by_handle_at",
    "kcmp",
    "reboot",
    "swapon",
};

struct Release {
    void operator()(void* filter) const { seccomp_release(filter); }
};

// libseccomp has macros for this, in C that is no C++.
constexpr scmp_arg_cmp argument(unsigned index, scmp_compare comparison, std::uint64_t value,
                                std::uint64_t second = 0) {
    return {index, comparison, value, second};
}

// Calls that this architecture or this libseccomp does not know need no rule: the default refuses them.
int rule(scmp_filter_ctx filter, std::uint32_t action, const char* name,
         std::initializer_list<scmp_arg_cmp> conditions = {}) {
    const int number = seccomp_syscall_resolve_name(name);
    if (number == __NR_SCMP_ERROR || number < 0) return 0;
    return seccomp_rule_add_array(filter, action, number, static_cast<unsigned>(conditions.size()), conditions.begin());
}

int add_rules(scmp_filter_ctx filter) {
    int worst = 0;
    const auto note = [&](int result) { worst = result < 0 ? result : worst; };
    for (const char* name : allowed) note(rule(filter, SCMP_ACT_ALLOW, name));
    for (const char* name : deadly) note(rule(filter, SCMP_ACT_KILL_PROCESS, name));

    // New threads, but no new processes. clone3 hides its flags behind a pointer, so it does not exist here and the C
    // library goes back to clone.
    note(rule(filter, SCMP_ACT_ALLOW, "clone",
              {argument(0, SCMP_CMP_MASKED_EQ, CLONE_THREAD | CLONE_VM, CLONE_THREAD | CLONE_VM)}));
    // abort() and nothing else.
    note(rule(filter, SCMP_ACT_ALLOW, "tgkill", {argument(0, SCMP_CMP_EQ, static_cast<std::uint64_t>(::getpid()))}));
    // Its limits may be read; those that each task sets may be set, up to the hard ones.
    note(rule(filter, SCMP_ACT_ALLOW, "prlimit64", {argument(0, SCMP_CMP_EQ, 0), argument(2, SCMP_CMP_EQ, 0)}));
    for (const unsigned settable : {RLIMIT_CPU, RLIMIT_FSIZE}) {
        note(rule(filter, SCMP_ACT_ALLOW, "prlimit64",
                  {argument(0, SCMP_CMP_EQ, 0), argument(1, SCMP_CMP_EQ, settable), argument(2, SCMP_CMP_NE, 0)}));
    }
    // A thread may step back, and by so much only.
    note(rule(filter, SCMP_ACT_ALLOW, "setpriority",
              {argument(0, SCMP_CMP_EQ, PRIO_PROCESS), argument(1, SCMP_CMP_EQ, 0),
               argument(2, SCMP_CMP_EQ, helper_niceness)}));
    note(rule(filter, SCMP_ACT_ALLOW, "prctl", {argument(0, SCMP_CMP_EQ, PR_SET_NAME)}));
    return worst;
}

}  // namespace

Protection restrict_system_calls() {
    // "There is no such call" is an answer that every library knows how to live with, a newer C library than ours too.
    const std::unique_ptr<void, Release> filter(seccomp_init(SCMP_ACT_ERRNO(ENOSYS)));
    if (!filter) return {"seccomp", false, "no filter"};
    seccomp_attr_set(filter.get(), SCMP_FLTATR_CTL_OPTIMIZE, 2);
    int result = add_rules(filter.get());
    if (result == 0) result = seccomp_load(filter.get());
    if (result != 0) return {"seccomp", false, std::strerror(-result)};
    return {"seccomp", true, {}};
}

}  // namespace tessera::engine
