#include "service/operators/password_hash.hpp"

#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <new>
#include <optional>
#include <span>

#include "core/hash.hpp"
#include "core/hex.hpp"
#include "core/random.hpp"

namespace tessera::service {
namespace {

constexpr std::size_t salt_bytes = 16;
constexpr std::size_t hash_bytes = 32;
// More is not spent on a stored hash, whatever it says.
constexpr std::uint64_t most_memory = std::uint64_t{256} << 20;

using Hash = std::array<std::uint8_t, hash_bytes>;

std::optional<Hash> scrypt(std::string_view password, std::span<const std::uint8_t> salt, const ScryptCost& cost) {
    Hash hash{};
    const int done = EVP_PBE_scrypt(password.data(), password.size(), salt.data(), salt.size(),
                                    std::uint64_t{1} << cost.log2_n, static_cast<std::uint64_t>(cost.r),
                                    static_cast<std::uint64_t>(cost.p), most_memory, hash.data(), hash.size());
    return done == 1 ? std::optional(hash) : std::nullopt;
}

struct Stored {
    ScryptCost cost;
    std::array<std::uint8_t, salt_bytes> salt{};
    std::string hash;
};

std::optional<int> number(std::string_view text, int most) {
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || value < 1 || value > most) return std::nullopt;
    return value;
}

std::optional<Stored> parse(std::string_view text) {
    std::array<std::string_view, 6> parts;
    for (std::string_view& part : parts) {
        const std::size_t end = std::min(text.find('$'), text.size());
        part = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    const auto log2_n = number(parts[1], 20);
    const auto r = number(parts[2], 64);
    const auto p = number(parts[3], 64);
    std::array<std::uint8_t, salt_bytes> salt{};
    if (parts[0] != "scrypt" || !text.empty() || !log2_n || !r || !p || !from_hex(parts[4], salt)) return std::nullopt;
    return Stored{{*log2_n, *r, *p}, salt, std::string(parts[5])};
}

}  // namespace

Result<void> check_password(std::string_view field, std::string_view password) {
    if (password.size() >= shortest_password && password.size() <= longest_password) return {};
    return Error{ErrorCode::invalid_request,
                 std::string(field) + ": expected " + std::to_string(shortest_password) + " to " +
                     std::to_string(longest_password) + " characters",
                 {}};
}

std::string hash_password(std::string_view password, const ScryptCost& cost) {
    std::array<std::uint8_t, salt_bytes> salt{};
    fill_random(salt);
    const auto hash = scrypt(password, salt, cost);
    if (!hash) throw std::bad_alloc();
    return "scrypt$" + std::to_string(cost.log2_n) + "$" + std::to_string(cost.r) + "$" + std::to_string(cost.p) + "$" +
           to_hex(salt) + "$" + to_hex(*hash);
}

bool password_matches(std::string_view password, std::string_view stored) {
    const auto known = parse(stored);
    if (!known) return false;
    const auto hash = scrypt(password, known->salt, known->cost);
    if (!hash) throw std::bad_alloc();
    return equal_in_constant_time(to_hex(*hash), known->hash);
}

const std::string& nobodys_hash() {
    static const std::string hash = [] {
        const ScryptCost cost;
        std::array<std::uint8_t, salt_bytes> salt{};
        Hash unknown{};
        fill_random(salt);
        fill_random(unknown);
        return "scrypt$" + std::to_string(cost.log2_n) + "$" + std::to_string(cost.r) + "$" + std::to_string(cost.p) +
               "$" + to_hex(salt) + "$" + to_hex(unknown);
    }();
    return hash;
}

}  // namespace tessera::service
