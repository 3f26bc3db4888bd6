// One part of the sandbox and whether this kernel gave it: what an engine reports when it is ready.
#pragma once

#include <string>
#include <vector>

namespace tessera::engine {

struct Protection {
    std::string name;  // "seccomp", "landlock", …
    bool in_force = false;
    std::string note;  // a version, or why not
};

// "seccomp landlock(7) no_new_privs …, without: privilege drop (not root)": the `sandbox` line.
std::string describe(const std::vector<Protection>& protections);

}  // namespace tessera::engine
