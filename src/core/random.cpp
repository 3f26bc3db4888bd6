#include "core/random.hpp"

#include <openssl/rand.h>

#include <algorithm>
#include <array>
#include <cstdlib>

namespace tessera {
namespace {

struct Reservoir {
    std::array<std::uint8_t, 4096> bytes{};
    std::size_t used = bytes.size();
};

void refill_from_kernel(std::span<std::uint8_t> out) {
    // Without randomness no id and no signature means anything: there is no way to go on.
    if (RAND_bytes(out.data(), static_cast<int>(out.size())) != 1) std::abort();
}

}  // namespace

void fill_random(std::span<std::uint8_t> out) {
    thread_local Reservoir reservoir;
    if (out.size() > reservoir.bytes.size() / 32) {
        refill_from_kernel(out);
        return;
    }
    if (reservoir.bytes.size() - reservoir.used < out.size()) {
        refill_from_kernel(reservoir.bytes);
        reservoir.used = 0;
    }
    auto* from = reservoir.bytes.data() + reservoir.used;
    std::copy_n(from, out.size(), out.data());
    std::fill_n(from, out.size(), std::uint8_t{0});  // what was handed out can't be read again
    reservoir.used += out.size();
}

std::string random_token(std::size_t length) {
    static constexpr char alphabet[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    static constexpr unsigned letters = sizeof alphabet - 1;
    static constexpr unsigned fair = 256 / letters * letters;  // bytes at or above this would favour some letters
    std::string token;
    token.reserve(length);
    while (token.size() < length) {
        std::uint8_t byte = 0;
        fill_random({&byte, 1});
        if (byte < fair) token.push_back(alphabet[byte % letters]);
    }
    return token;
}

}  // namespace tessera
