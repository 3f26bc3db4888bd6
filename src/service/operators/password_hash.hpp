// Passwords of operators as they are stored: scrypt (RFC 7914) with a salt and the cost that was paid, so that the cost
// can be raised while older hashes go on working: "scrypt$15$8$3$SALT$HASH".
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/result.hpp"

namespace tessera::service {

struct ScryptCost {
    int log2_n = 15;  // memory is 128 * r * 2^log2_n bytes: 32 MiB
    int r = 8;
    int p = 3;
};

inline constexpr std::size_t shortest_password = 12;
inline constexpr std::size_t longest_password = 1'024;

// `invalid_request` for one that is too short or too long; `field` is what the caller calls it.
Result<void> check_password(std::string_view field, std::string_view password);

// Takes tens of milliseconds of a core, and memory: never on a loop. Throws std::bad_alloc where there is none.
std::string hash_password(std::string_view password, const ScryptCost& cost = {});
// As costly as hashing, whatever the answer. False also for a hash that can't be read.
bool password_matches(std::string_view password, std::string_view stored);
// A hash that no password has, of the usual cost: what a name that does not exist is compared with.
const std::string& nobodys_hash();

}  // namespace tessera::service
