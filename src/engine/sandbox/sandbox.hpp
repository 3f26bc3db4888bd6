// Locks the calling process in, for good: after this it can compute, use the files it was handed, and write below one
// folder. Each part that the kernel lacks is reported and the rest goes on; who starts engines decides if that will do.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <vector>

#include "engine/wire/protection.hpp"

namespace tessera::engine {

struct SandboxPlan {
    int folder = -1;  // an open directory: the only place where it may touch files by name
    uid_t uid = 0;    // to become, where started as root; 0 keeps it
    std::int64_t memory_limit_bytes = 0;
    std::int64_t file_limit_bytes = 0;
    pid_t host = 0;  // dies with this process
};

// Call with one thread, before any foreign byte is read. False when there is no host any more.
bool enter_sandbox(const SandboxPlan& plan, std::vector<Protection>& report);

// The parts, in the order in which enter_sandbox takes them.
Protection forbid_new_privileges();
Protection leave_namespaces();
Protection change_root(int folder);
Protection drop_privileges(uid_t uid);
Protection limit_resources(const SandboxPlan& plan, bool own_uid);
Protection restrict_files(int folder);  // Landlock
Protection restrict_system_calls();     // seccomp

// Inside the sandbox, before each task: bounds against work that runs away. Against an engine that was taken over there
// are the host's clock and the hard limits.
void limit_task(std::chrono::seconds processor_time, std::int64_t file_bytes);

// Parts that are not in force and are missed: not those that can't apply to an ordinary user, nor those that others
// stand in for.
std::vector<Protection> missed(const std::vector<Protection>& report);

// Whether the report amounts to a full sandbox: nothing in it is missed.
bool is_complete(const std::vector<Protection>& report);

}  // namespace tessera::engine
