#include "engine/sandbox/system_calls.hpp"

#include <fcntl.h>
#include <linux/futex.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include <csignal>
#include <utility>

#include "core/give_way.hpp"

namespace tessera::engine {
namespace {

using Kind = ArgumentRule::Kind;
using Values = std::vector<NamedValue>;

#define TESSERA_NAMED(value)                      \
    NamedValue {                                  \
        static_cast<std::uint64_t>(value), #value \
    }

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool sanitized = true;  // sanitizers ask for memory in ways of their own
#else
constexpr bool sanitized = false;
#endif

ArgumentRule one_of(unsigned index, std::string_view name, Values values) {
    return {index, name, Kind::one_of, std::move(values), false, {}};
}
ArgumentRule made_of(unsigned index, std::string_view name, Values values) {
    return {index, name, Kind::made_of, std::move(values), false, {}};
}
ArgumentRule pointer(unsigned index, std::string_view name, Kind kind) {
    return {index, name, kind, {}, true, {}};
}
ArgumentRule with(ArgumentRule rule, Values bits) {
    rule.with = std::move(bits);
    return rule;
}
ArgumentRule wide(ArgumentRule rule) {
    rule.wide = true;
    return rule;
}
std::vector<ArgumentRule> for_memory(std::vector<ArgumentRule> rules) {
    return sanitized ? std::vector<ArgumentRule>() : std::move(rules);
}

// Nothing is ever made executable: the libraries are loaded before the filter is, and what compiles at run time is
// switched off.
const Values memory_protections = {TESSERA_NAMED(PROT_NONE), TESSERA_NAMED(PROT_READ), TESSERA_NAMED(PROT_WRITE)};

const Values open_flags = {TESSERA_NAMED(O_RDONLY),   TESSERA_NAMED(O_WRONLY),   TESSERA_NAMED(O_RDWR),
                           TESSERA_NAMED(O_CREAT),    TESSERA_NAMED(O_EXCL),     TESSERA_NAMED(O_TRUNC),
                           TESSERA_NAMED(O_APPEND),   TESSERA_NAMED(O_CLOEXEC),  TESSERA_NAMED(O_NOFOLLOW),
                           TESSERA_NAMED(O_NONBLOCK), TESSERA_NAMED(O_DIRECTORY)};

// Exactly what the C library asks for when it makes a thread.
constexpr std::uint64_t thread_flags = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD |
                                       CLONE_SYSVSEM | CLONE_SETTLS | CLONE_PARENT_SETTID | CLONE_CHILD_CLEARTID;

std::vector<AllowedCalls> make_table() {
    return {
        // memory
        {{"brk", "munmap"}, {}, "`malloc`"},
            {{"mmap"},
             for_memory(
                 {wide(made_of(2, "prot", memory_protections)),
                  wide(made_of(3, "flags",
                               {TESSERA_NAMED(MAP_PRIVATE), TESSERA_NAMED(MAP_SHARED), TESSERA_NAMED(MAP_ANONYMOUS),
                                TESSERA_NAMED(MAP_FIXED), TESSERA_NAMED(MAP_NORESERVE), TESSERA_NAMED(MAP_STACK),
                                TESSERA_NAMED(MAP_POPULATE)}))}),
             "`malloc`, stacks of threads, files that are read or written as memory"},
            {{"mprotect"}, for_memory({wide(made_of(2, "prot", memory_protections))}), "`malloc`, stacks of threads"},
            {{"mremap"}, for_memory({wide(made_of(3, "flags", {TESSERA_NAMED(MREMAP_MAYMOVE)}))}), "`realloc`"},
            {{"madvise"},
             for_memory(
                 {one_of(2, "advice",
                         {TESSERA_NAMED(MADV_NORMAL), TESSERA_NAMED(MADV_RANDOM), TESSERA_NAMED(MADV_SEQUENTIAL),
                          TESSERA_NAMED(MADV_WILLNEED), TESSERA_NAMED(MADV_DONTNEED), TESSERA_NAMED(MADV_FREE)})}),
             "`free`, threads that end, files that are read as memory"},

            // files that are open
            {{"read", "readv", "pread64", "preadv"}, {}, "sources"},
            {{"write", "writev", "pwrite64", "pwritev"}, {}, "products, last words"},
            {{"lseek", "fstat", "close", "dup", "fadvise64"}, {}, "the decoders' and encoders' own files"},
            {{"ftruncate", "fsync", "fdatasync", "getdents64"}, {}, "products and spools in the task's folder"},
            {{"fallocate"}, {one_of(1, "mode", {NamedValue{0, "0"}})}, "spools in the task's folder"},
            {{"copy_file_range"}, {one_of(5, "flags", {NamedValue{0, "0"}})}, "sources that are products as they are"},
            {{"fcntl"},
             {one_of(1, "cmd",
                     {TESSERA_NAMED(F_DUPFD_CLOEXEC), TESSERA_NAMED(F_GETFD), TESSERA_NAMED(F_SETFD),
                      TESSERA_NAMED(F_GETFL)})},
             "libvips, and the C library's streams"},

            // files by name: Landlock says which
            {{"open"}, {made_of(1, "flags", open_flags)}, "products and spools in the task's folder"},
            {{"openat"}, {made_of(2, "flags", open_flags)}, "the same"},
            {{"stat", "lstat", "access", "faccessat", "readlink", "readlinkat", "getcwd", "chdir", "fchdir"},
             {},
             "the way to the task's folder and in it"},
            {{"newfstatat"},
             {made_of(
                 3, "flags",
                 {TESSERA_NAMED(AT_EMPTY_PATH), TESSERA_NAMED(AT_SYMLINK_NOFOLLOW), TESSERA_NAMED(AT_NO_AUTOMOUNT)})},
             "the same, and `fstat` of the C library"},
            {{"statx"},
             {made_of(
                 2, "flags",
                 {TESSERA_NAMED(AT_EMPTY_PATH), TESSERA_NAMED(AT_SYMLINK_NOFOLLOW), TESSERA_NAMED(AT_NO_AUTOMOUNT)})},
             "the same"},

            // threads and locks
            {{"clone"},
             {wide(one_of(0, "flags", {NamedValue{thread_flags, "those of `pthread_create`, exactly"}}))},
             "threads. `clone3` hides its flags from filters and does not exist here: the C library goes back to "
             "`clone`"},
            {{"futex"},
             {with(one_of(1, "op",
                          {TESSERA_NAMED(FUTEX_WAIT), TESSERA_NAMED(FUTEX_WAKE), TESSERA_NAMED(FUTEX_REQUEUE),
                           TESSERA_NAMED(FUTEX_CMP_REQUEUE), TESSERA_NAMED(FUTEX_WAKE_OP),
                           TESSERA_NAMED(FUTEX_WAIT_BITSET), TESSERA_NAMED(FUTEX_WAKE_BITSET)}),
                   {TESSERA_NAMED(FUTEX_PRIVATE_FLAG), TESSERA_NAMED(FUTEX_CLOCK_REALTIME)})},
             "locks"},
            {{"set_robust_list", "rseq", "sched_yield", "getcpu", "exit", "exit_group"}, {}, "threads"},
            {{"sched_getaffinity", "sched_getparam", "sched_getscheduler"},
             {},
             "GLib, which asks how many cores there are"},
            {{"gettid", "getpid", "getppid", "getuid", "geteuid", "getgid", "getegid"}, {}, "GLib and the C library"},
            {{"prctl"}, {one_of(0, "option", {TESSERA_NAMED(PR_SET_NAME)})}, "threads that have names"},
            {{"setpriority"},
             {one_of(0, "which", {TESSERA_NAMED(PRIO_PROCESS)}),
              one_of(1, "who", {NamedValue{0, "the calling thread"}}),
              one_of(2, "prio", {NamedValue{helper_niceness, "10"}})},
             "helpers, which give way to other jobs"},

            // signals to itself
            {{"rt_sigaction", "rt_sigprocmask", "rt_sigreturn", "sigaltstack", "restart_syscall"}, {}, "`abort`"},
            {{"tgkill"}, {{0, "tgid", Kind::the_engine_pid, {}, false, {}}}, "`abort`"},

            // the channel to the host, which is open already
            {{"sendmsg"},
             {one_of(0, "sockfd", {NamedValue{3, "the channel"}}), made_of(2, "flags", {TESSERA_NAMED(MSG_NOSIGNAL)})},
             "answers to the host"},
            {{"recvmsg"},
             {one_of(0, "sockfd", {NamedValue{3, "the channel"}}),
              made_of(2, "flags", {TESSERA_NAMED(MSG_CMSG_CLOEXEC), TESSERA_NAMED(MSG_WAITALL)})},
             "tasks and files from the host"},
            {{"poll", "ppoll"}, {}, "an engine at rest, which gives memory back"},
#if defined(__SANITIZE_ADDRESS__)  // it learns through a pipe whether memory can be read
            {{"pipe", "pipe2"}, {}, "AddressSanitizer"},
#endif

            // its own limits
            {{"prlimit64"},
             {one_of(0, "pid", {NamedValue{0, "the engine itself"}}), pointer(2, "new_limit", Kind::null)},
             "limits that are read"},
            {{"prlimit64"},
             {one_of(0, "pid", {NamedValue{0, "the engine itself"}}),
              one_of(1, "resource", {TESSERA_NAMED(RLIMIT_CPU), TESSERA_NAMED(RLIMIT_FSIZE)}),
              pointer(2, "new_limit", Kind::not_null)},
             "bounds that each task sets itself, below the hard ones"},

            // time and chance
            {{"clock_gettime", "clock_getres", "clock_nanosleep", "nanosleep", "gettimeofday", "time", "times"},
             {},
             "clocks"},
            {{"getrandom"}, {}, "hash tables"},
            {{"getrusage", "sysinfo", "uname"}, {}, "limits of time, memory budgets of encoders"},
    };
}

#undef TESSERA_NAMED

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

}  // namespace

const std::vector<AllowedCalls>& allowed_calls() {
    static const std::vector<AllowedCalls> table = make_table();
    return table;
}

std::span<const char* const> deadly_calls() {
    return deadly;
}

}  // namespace tessera::engine
