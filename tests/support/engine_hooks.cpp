// Engines for tests: an image whose last bytes are TESSERA-HOOK:<moment>:<what> makes the engine misbehave when it is
// handed that image, inside its sandbox. The release binary has none of this.
#include "engine/child/hooks.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <glib.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace tessera::engine::hooks {
namespace {

constexpr std::string_view mark = "TESSERA-HOOK:";

std::string order_in(int file) {
    char tail[256] = {};
    struct stat status {};
    if (::fstat(file, &status) != 0) return {};
    const off_t from = status.st_size > 256 ? status.st_size - 256 : 0;
    const ssize_t got = ::pread(file, tail, sizeof(tail), from);
    const std::string_view text(tail, got > 0 ? static_cast<std::size_t>(got) : 0);
    const auto at = text.rfind(mark);
    return at == std::string_view::npos ? std::string() : std::string(text.substr(at + mark.size()));
}

[[noreturn]] void report(const std::string& what, bool succeeded) {
    throw std::runtime_error(what + (succeeded ? " SUCCEEDED" : std::string(" refused: ") + std::strerror(errno)));
}

void eat_memory() {
    std::vector<char*> kept;
    while (true) {
        constexpr std::size_t piece = 16 << 20;
        char* block = static_cast<char*>(std::malloc(piece));
        if (block == nullptr) throw std::bad_alloc();
        std::memset(block, 1, piece);
        kept.push_back(block);
    }
}

void spin() {
    volatile unsigned turns = 0;
    while (true) {
        turns = turns + 1;
    }
}

void fill_folder() {
    const int file = ::open("filler", O_WRONLY | O_CREAT, 0600);
    const std::vector<char> block(1 << 20);
    while (::write(file, block.data(), block.size()) > 0) {
    }
}

void fill_disk(std::size_t files, off_t bytes) {
    for (std::size_t i = 0; i < files; ++i) {
        const int file = ::open(("filler-" + std::to_string(i)).c_str(), O_WRONLY | O_CREAT, 0600);
        if (file < 0 || (bytes > 0 && ::posix_fallocate(file, 0, bytes) != 0)) report("fill-disk", false);
        ::close(file);
    }
    while (true) ::pause();
}

// What the engine keeps of a result that it hands over.
int kept_file = -1;
char* kept_mapping = nullptr;
constexpr std::size_t kept_bytes = 64;

void keep_result(const std::string& name, bool as_mapping) {
    kept_file = ::open(name.c_str(), O_RDWR | O_CREAT, 0600);
    if (::ftruncate(kept_file, kept_bytes) != 0) report("ftruncate", false);
    if (!as_mapping) return;
    void* mapping = ::mmap(nullptr, kept_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, kept_file, 0);
    if (mapping == MAP_FAILED) report("mmap", false);
    kept_mapping = static_cast<char*>(mapping);
    ::close(std::exchange(kept_file, -1));
}

// Fails the task with what it could do.
void write_to_what_was_kept() {
    if (kept_file >= 0) report("write to a kept file", ::pwrite(kept_file, "changed", 7, 0) == 7);
    if (kept_mapping == nullptr) throw std::runtime_error("nothing was kept");
    std::memcpy(kept_mapping, "changed", 7);
    report("write to a kept mapping", true);
}

// "number,argument,…": a system call as it stands, whether the filter lets it through or not.
void try_call(const std::string& numbers) {
    long parts[7] = {};
    std::size_t count = 0;
    for (std::size_t at = 0; at < numbers.size() && count < 7; at = numbers.find(',', at) + 1) {
        parts[count++] = static_cast<long>(std::strtoull(numbers.c_str() + at, nullptr, 10));
        if (numbers.find(',', at) == std::string::npos) break;
    }
    errno = 0;
    const long result = ::syscall(parts[0], parts[1], parts[2], parts[3], parts[4], parts[5], parts[6]);
    report("call " + numbers, result >= 0 || errno != ENOSYS);
}

// A secret of one account in the memory of the engine.
void work_for(const std::string& account) {
    static std::string worked_for;
    const bool first = worked_for.empty();
    const bool same = worked_for == account;
    worked_for = account;
    throw std::runtime_error(first ? "first" : same ? "same" : "ANOTHER");
}

// Half a second of processor time.
void toil() {
    rusage used{};
    const auto microseconds = [&] {
        ::getrusage(RUSAGE_SELF, &used);
        return used.ru_utime.tv_sec * 1'000'000 + used.ru_utime.tv_usec;
    };
    const auto until = microseconds() + 250'000;
    while (microseconds() < until) {
    }
    throw std::runtime_error("done");
}

void misbehave(const std::string& what, const std::string& argument) {
    if (what == "crash") ::raise(SIGSEGV);
    if (what == "abort") std::abort();
    if (what == "exit") ::_exit(0);
    if (what == "hang") ::pause(), spin();
    if (what == "spin") spin();
    if (what == "eat-memory") eat_memory();
    if (what == "eat-memory-glib") {
        while (true) std::memset(::g_malloc(16 << 20), 1, 16 << 20);
    }
    if (what == "fill-folder") fill_folder();
    if (what == "large-files") fill_disk(5, 40 << 20);
    if (what == "many-files") fill_disk(2000, 0);
    if (what == "mkdir") report(what, ::mkdir("folder", 0700) == 0);
    if (what == "remove-own") {
        ::close(::open("own", O_WRONLY | O_CREAT, 0600));
        report(what, ::unlink("own") == 0 || ::rename("own", "other") == 0);
    }
    if (what == "nameless-file") report(what, ::open(".", O_TMPFILE | O_RDWR, 0600) >= 0);
    if (what == "keep-file") keep_result(argument, false);
    if (what == "keep-mapping") keep_result(argument, true);
    if (what == "write-to-kept") write_to_what_was_kept();
    if (what == "work-for") work_for(argument);
    if (what == "toil") toil();
    if (what == "tell-pid") throw std::runtime_error("pid: " + std::to_string(::getpid()));
    if (what == "throw") throw std::runtime_error("as told");

    // Attempts at what the sandbox forbids.
    if (what == "call") try_call(argument);
    if (what == "socket") report(what, ::socket(AF_INET, SOCK_STREAM, 0) >= 0);
    if (what == "unix-socket") report(what, ::socket(AF_UNIX, SOCK_STREAM, 0) >= 0);
    if (what == "read") report(what, ::open(argument.c_str(), O_RDONLY) >= 0);
    if (what == "list") report(what, ::open(argument.c_str(), O_RDONLY | O_DIRECTORY) >= 0);
    if (what == "write") report(what, ::open(argument.c_str(), O_WRONLY | O_CREAT, 0600) >= 0);
    if (what == "unlink") report(what, ::unlink(argument.c_str()) == 0);
    if (what == "symlink") report(what, ::symlink("/etc/passwd", "link") == 0);
    if (what == "ptrace") report(what, ::ptrace(PTRACE_ATTACH, ::getppid(), nullptr, nullptr) == 0);
    if (what == "fork") report(what, ::fork() >= 0);
    if (what == "kill-host") report(what, ::kill(::getppid(), SIGTERM) == 0);
    if (what == "setuid") report(what, ::setuid(0) == 0);
    if (what == "raise-limit") {
        const rlimit unlimited{RLIM_INFINITY, RLIM_INFINITY};
        report(what, ::setrlimit(RLIMIT_DATA, &unlimited) == 0);
    }
    // EACCES: the call is there, but this process was nicer than that from the start.
    if (what == "step-back") report(what, ::setpriority(PRIO_PROCESS, 0, 10) == 0 || errno == EACCES);
    if (what == "renice") report(what, ::setpriority(PRIO_PROCESS, 0, 19) == 0);
    if (what == "renice-host") report(what, ::setpriority(PRIO_PROCESS, static_cast<id_t>(::getppid()), 10) == 0);
    if (what == "renice-user") report(what, ::setpriority(PRIO_USER, 0, 10) == 0);
    if (what == "environment") report(what, std::getenv("PATH") != nullptr || std::getenv("HOME") != nullptr);
    if (what == "descriptors") {
        int open = 0;
        for (int fd = 0; fd < 512; ++fd) open += ::fcntl(fd, F_GETFD) >= 0 ? 1 : 0;
        throw std::runtime_error("open: " + std::to_string(open));
    }
    if (what == "exec") {
        char* const none[] = {nullptr};
        ::execve(argument.c_str(), none, none);
        report(what, false);
    }
}

}  // namespace

void on_image(int file, Moment moment) {
    const std::string order = order_in(file);
    const std::string prefix = moment == Moment::probe ? "probe:" : "run:";
    if (!order.starts_with(prefix)) return;
    const std::string rest = order.substr(prefix.size());
    const auto colon = rest.find(':');
    const std::string what = rest.substr(0, colon);
    if (what == "write-input") report(what, ::pwrite(file, "x", 1, 0) == 1);
    misbehave(what, colon == std::string::npos ? std::string() : rest.substr(colon + 1));
}

}  // namespace tessera::engine::hooks
