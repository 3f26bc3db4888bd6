#include "engine/child/child.hpp"

#include <fcntl.h>
#include <malloc.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <boost/json/serialize.hpp>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

#include "engine/child/child_channel.hpp"
#include "engine/child/serve.hpp"
#include "engine/sandbox/sandbox.hpp"
#include "engine/wire/exit_codes.hpp"
#include "engine/wire/messages.hpp"
#include "imaging/pixels/vips_runtime.hpp"

namespace tessera::engine {
namespace {

constexpr int control_fd = 3;  // in the template
constexpr int channel_fd = 3;  // in an engine
constexpr int folder_fd = 4;

// GLib ends the process when memory or threads run out, and for nothing else that happens in practice.
void on_glib_fatal(const char* domain) {
    if (std::strcmp(domain, "GLib") == 0) ::_exit(exit_out_of_memory);
}

// Leaves exactly: null in and out, the last words' place, the channel and the folder.
void arrange_files(std::vector<UniqueFd> files) {
    int high[3];
    for (std::size_t i = 0; i < 3; ++i) high[i] = ::fcntl(files[i].get(), F_DUPFD_CLOEXEC, 16);
    for (UniqueFd& file : files) file.reset();
    ::dup2(high[0], channel_fd);
    ::dup2(high[1], folder_fd);
    ::dup2(high[2], STDERR_FILENO);
    ::close_range(folder_fd + 1, ~0U, 0);
}

[[noreturn]] void be_engine(const StartMessage& start, std::vector<UniqueFd> files) {
    arrange_files(std::move(files));
    const ChildChannel channel(channel_fd);
    std::vector<Protection> protections;
    const SandboxPlan plan{folder_fd, start.uid, start.memory_limit_bytes, start.file_limit_bytes, start.host};
    if (!enter_sandbox(plan, protections) || !channel.send(encode(protections))) ::_exit(exit_cannot_start);

    // A thread of its own: after a bare clone() the C library's idea of the first thread's id is the template's.
    std::thread worker([&] { serve(channel, folder_fd, start.threads); });
    worker.join();
    ::_exit(0);
}

// A child of our host's, not of ours, so that the host itself waits for it and learns how it ended.
pid_t fork_for_host() {
    return static_cast<pid_t>(::syscall(SYS_clone, CLONE_PARENT | SIGCHLD, 0, 0, 0, 0));
}

// What asks for an end in good order is for the host, also where it is sent to everybody, as some supervisors do: the
// host may want to let an engine finish, and kills it otherwise.
void leave_orders_to_the_host() {
    for (const int order : {SIGTERM, SIGINT, SIGHUP}) std::signal(order, SIG_IGN);
}

void set_up_process() {
    leave_orders_to_the_host();
    ::prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    ::clearenv();
    ::setenv("TMPDIR", ".", 1);  // libvips' own scratch files belong into the task's folder
    ::umask(0077);
    ::mallopt(M_ARENA_MAX, 4);
}

}  // namespace

int child_main() {
    set_up_process();
    if (const auto started = imaging::start_vips(&on_glib_fatal); !started) return exit_cannot_start;
    imaging::block_foreign_formats();

    // The template: it reads no image, it only makes engines of its own likeness, in a fraction of the time that
    // loading libvips and its hundred libraries takes.
    const ChildChannel control(control_fd);
    while (auto frame = control.receive()) {
        const auto message = parse_message(frame->body);
        const auto start = message ? decode_start(*message) : std::nullopt;
        if (!start || frame->files.size() != 3) return exit_cannot_start;
        const pid_t pid = start->fork ? fork_for_host() : 0;
        if (pid == 0) be_engine(*start, std::move(frame->files));
        if (!control.send(boost::json::serialize(boost::json::object{{"kind", kind::started}, {"pid", pid}}))) break;
    }
    return 0;
}

}  // namespace tessera::engine
