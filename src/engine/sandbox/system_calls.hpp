// The system calls that an engine may make: which, with which arguments, and who needs them. The filter is made from
// this table, and docs/sandbox.md shows it.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace tessera::engine {

struct NamedValue {
    std::uint64_t value = 0;
    std::string_view name;
};

// What one argument of a call must be.
struct ArgumentRule {
    enum class Kind {
        one_of,          // of `values`, and nothing else
        made_of,         // any of the bits of `values`, and no others
        null,            // a pointer to nothing
        not_null,        // a pointer to something
        the_engine_pid,  // the number of the process itself
    };
    unsigned index = 0;
    std::string_view name;  // as manual pages have it
    Kind kind = Kind::one_of;
    std::vector<NamedValue> values;
    bool wide = false;             // the kernel looks at all 64 bits of it
    std::vector<NamedValue> with;  // bits that may stand beside one of `values`
};

// Calls that may be made when every rule holds. A call that is named twice may be made in either way.
struct AllowedCalls {
    std::vector<const char*> calls;
    std::vector<ArgumentRule> arguments;
    std::string_view needed_by;
};

const std::vector<AllowedCalls>& allowed_calls();

// No decoder ever makes these: a process that does is no longer ours, and ends on the spot.
std::span<const char* const> deadly_calls();

}  // namespace tessera::engine
