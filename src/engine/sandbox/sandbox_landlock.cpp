// Landlock by its bare system calls: glibc has no wrappers, and Debian 12's kernel headers know less than kernels do.
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <string>

#include "core/file.hpp"
#include "engine/sandbox/sandbox.hpp"

namespace tessera::engine {
namespace {

// The numbers are the same on every architecture.
constexpr long nr_create_ruleset = 444;
constexpr long nr_add_rule = 445;
constexpr long nr_restrict_self = 446;

struct RulesetAttributes {
    std::uint64_t handled_files;
    std::uint64_t handled_network;  // since version 4
    std::uint64_t scoped;           // since version 6
};

struct [[gnu::packed]] PathBeneath {
    std::uint64_t allowed;
    std::int32_t parent;
};

enum FileRight : std::uint64_t {
    execute = 1U << 0,
    write_file = 1U << 1,
    read_file = 1U << 2,
    read_folder = 1U << 3,
    make_regular = 1U << 8,
    truncate = 1U << 14,  // since version 3
};

// New files, and no more: no folders, and nothing is removed or renamed. What an engine has made is then to be seen in
// its folder, where the host measures it.
constexpr std::uint64_t in_its_folder = write_file | read_file | read_folder | make_regular | truncate;

// All rights that a kernel of this version can handle: what is handled and not granted is refused.
std::uint64_t file_rights(long version) {
    if (version >= 5) return (1U << 16) - 1;
    if (version >= 3) return (1U << 15) - 1;
    if (version == 2) return (1U << 14) - 1;
    return (1U << 13) - 1;
}

RulesetAttributes attributes_for(long version) {
    return {file_rights(version), version >= 4 ? 0b11U : 0U, version >= 6 ? 0b11U : 0U};
}

std::size_t attribute_bytes(long version) {
    if (version >= 6) return 24;
    return version >= 4 ? 16 : 8;
}

Protection refused(const char* step) {
    return {"landlock", false, std::string(step) + ": " + std::strerror(errno)};
}

// In a container it is seldom the kernel that lacks it: profiles from before Landlock refuse its calls.
Protection absent() {
    switch (errno) {
        case ENOSYS: return {"landlock", false, "no such call: a kernel before 5.13, or a container's seccomp profile"};
        case EPERM: return {"landlock", false, "refused by a container's seccomp profile"};
        case EOPNOTSUPP: return {"landlock", false, "switched off when the kernel was started"};
        default: return refused("asking for it");
    }
}

}  // namespace

Protection restrict_files(int folder) {
    const long version = ::syscall(nr_create_ruleset, nullptr, std::size_t{0}, 1U);
    if (version < 1) return absent();

    const RulesetAttributes attributes = attributes_for(version);
    const UniqueFd ruleset(static_cast<int>(::syscall(nr_create_ruleset, &attributes, attribute_bytes(version), 0U)));
    if (!ruleset) return refused("ruleset");
    const PathBeneath rule{in_its_folder & attributes.handled_files, folder};
    if (::syscall(nr_add_rule, ruleset.get(), 1, &rule, 0U) != 0) return refused("rule");
    if (::syscall(nr_restrict_self, ruleset.get(), 0U) != 0) return refused("restrict");
    return {"landlock", true, "version " + std::to_string(version)};
}

}  // namespace tessera::engine
