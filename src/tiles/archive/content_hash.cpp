#include "tiles/archive/content_hash.hpp"

#include <array>
#include <cstring>

#include "core/random.hpp"

namespace tessera::tiles {
namespace {

__extension__ using Wide = unsigned __int128;

// The halves of a 64 by 64 bit product, folded together: one multiplication mixes 16 bytes.
std::uint64_t fold(std::uint64_t a, std::uint64_t b) {
    const Wide product = static_cast<Wide>(a) * b;
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

std::uint64_t load(const std::uint8_t* from) {
    std::uint64_t word = 0;
    std::memcpy(&word, from, sizeof word);
    return word;
}

using Secret = std::array<std::uint64_t, 8>;

const Secret& secret() {
    static const Secret words = [] {
        Secret fresh;
        fill_random({reinterpret_cast<std::uint8_t*>(fresh.data()), sizeof fresh});
        for (auto& word : fresh) word |= 1;
        return fresh;
    }();
    return words;
}

}  // namespace

ContentHasher::ContentHasher() : a_(secret()[4]), b_(secret()[5]), c_(secret()[6]), d_(secret()[7]) {}

void ContentHasher::update(std::span<const std::uint8_t> bytes) {
    const Secret& s = secret();
    const std::uint8_t* at = bytes.data();
    std::size_t left = bytes.size();
    // Each half of the hash (a with b, c with d) sees every byte, paired with another neighbour and under other
    // keys: the halves fail independently.
    for (; left >= 32; left -= 32, at += 32) {
        const std::uint64_t w0 = load(at);
        const std::uint64_t w1 = load(at + 8);
        const std::uint64_t w2 = load(at + 16);
        const std::uint64_t w3 = load(at + 24);
        a_ = fold(a_ ^ w0, w1 ^ s[0]);
        b_ = fold(b_ ^ w2, w3 ^ s[1]);
        c_ = fold(c_ ^ w1, w2 ^ s[2]);
        d_ = fold(d_ ^ w3, w0 ^ s[3]);
    }
    if (left > 0) {
        std::array<std::uint8_t, 32> tail{};
        std::memcpy(tail.data(), at, left);
        a_ = fold(a_ ^ load(tail.data()), load(tail.data() + 8) ^ s[0]);
        b_ = fold(b_ ^ load(tail.data() + 16), load(tail.data() + 24) ^ s[1]);
        c_ = fold(c_ ^ load(tail.data() + 8), load(tail.data() + 16) ^ s[2]);
        d_ = fold(d_ ^ load(tail.data() + 24), load(tail.data()) ^ s[3]);
    }
    update(bytes.size());
}

void ContentHasher::update(std::uint64_t number) {
    const Secret& s = secret();
    a_ = fold(a_ ^ number, s[2]);
    c_ = fold(c_ ^ number, s[3]);
}

ContentHash ContentHasher::finish() const {
    const Secret& s = secret();
    return {fold(a_ ^ s[1], b_ ^ s[0]) ^ fold(b_ ^ s[3], a_ ^ s[2]),
            fold(c_ ^ s[0], d_ ^ s[1]) ^ fold(d_ ^ s[2], c_ ^ s[3])};
}

ContentHash content_hash(std::span<const std::uint8_t> bytes) {
    ContentHasher hasher;
    hasher.update(bytes);
    return hasher.finish();
}

}  // namespace tessera::tiles
