// The filter of system calls, made from the table of those that decoding, encoding and writing to the scratch folder
// need.
#include <seccomp.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/owned.hpp"
#include "engine/sandbox/sandbox.hpp"
#include "engine/sandbox/system_calls.hpp"

namespace tessera::engine {
namespace {

using Conditions = std::vector<scmp_arg_cmp>;

std::uint64_t bits_of(const std::vector<NamedValue>& values) {
    std::uint64_t bits = 0;
    for (const NamedValue& each : values) bits |= each.value;
    return bits;
}

// The conditions that the argument may meet, any one of them.
Conditions conditions_of(const ArgumentRule& rule) {
    const std::uint64_t seen = rule.wide ? ~std::uint64_t{0} : 0xffffffffU;  // by the kernel, of the argument
    switch (rule.kind) {
        case ArgumentRule::Kind::one_of: {
            Conditions any;
            for (const NamedValue& each : rule.values) {
                any.push_back({rule.index, SCMP_CMP_MASKED_EQ, seen & ~bits_of(rule.with), each.value});
            }
            return any;
        }
        case ArgumentRule::Kind::made_of:
            return {{rule.index, SCMP_CMP_MASKED_EQ, seen & ~bits_of(rule.values), std::uint64_t{0}}};
        case ArgumentRule::Kind::null: return {{rule.index, SCMP_CMP_EQ, std::uint64_t{0}, 0}};
        case ArgumentRule::Kind::not_null: return {{rule.index, SCMP_CMP_NE, std::uint64_t{0}, 0}};
        case ArgumentRule::Kind::the_engine_pid:
            return {{rule.index, SCMP_CMP_MASKED_EQ, seen, static_cast<std::uint64_t>(::getpid())}};
    }
    return {};
}

// Calls that this architecture or this libseccomp does not know need no rule: the default refuses them.
int add_rule(scmp_filter_ctx filter, std::uint32_t action, const char* name, const Conditions& conditions) {
    const int number = seccomp_syscall_resolve_name(name);
    if (number == __NR_SCMP_ERROR || number < 0) return 0;
    return seccomp_rule_add_array(filter, action, number, static_cast<unsigned>(conditions.size()), conditions.data());
}

// One rule of the filter for each way to meet all of `arguments`.
int add_rules(scmp_filter_ctx filter, const char* name, std::span<const ArgumentRule> arguments, Conditions& so_far) {
    if (arguments.empty()) return add_rule(filter, SCMP_ACT_ALLOW, name, so_far);
    int worst = 0;
    for (const scmp_arg_cmp& condition : conditions_of(arguments.front())) {
        so_far.push_back(condition);
        worst = std::min(worst, add_rules(filter, name, arguments.subspan(1), so_far));
        so_far.pop_back();
    }
    return worst;
}

int add_table(scmp_filter_ctx filter) {
    int worst = 0;
    Conditions none;
    for (const AllowedCalls& allowed : allowed_calls()) {
        for (const char* name : allowed.calls)
            worst = std::min(worst, add_rules(filter, name, allowed.arguments, none));
    }
    for (const char* name : deadly_calls()) worst = std::min(worst, add_rule(filter, SCMP_ACT_KILL_PROCESS, name, {}));
    return worst;
}

}  // namespace

Protection restrict_system_calls() {
    // "There is no such call" is an answer that every library knows how to live with, a newer C library than ours too.
    const Owned<void, seccomp_release> filter(seccomp_init(SCMP_ACT_ERRNO(ENOSYS)));
    if (!filter) return {"seccomp", false, "no filter"};
    seccomp_attr_set(filter.get(), SCMP_FLTATR_CTL_OPTIMIZE, 2);
    int result = add_table(filter.get());
    if (result == 0) result = seccomp_load(filter.get());
    if (result != 0) return {"seccomp", false, std::strerror(-result)};
    return {"seccomp", true, {}};
}

}  // namespace tessera::engine
