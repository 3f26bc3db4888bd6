#include "codecs/png/thorough_matches.hpp"

#include <algorithm>
#include <bit>

namespace tessera::codecs::thorough {
namespace {

constexpr unsigned hash_bits = 16;
constexpr int most_steps = 64;          // of one search; what is farther down is forgotten
constexpr std::size_t most_found = 16;  // of one place: as many as memory is bounded by

std::size_t hash(const std::uint8_t* at) {
    const std::uint32_t three =
        at[0] | static_cast<std::uint32_t>(at[1]) << 8 | static_cast<std::uint32_t>(at[2]) << 16;
    return three * 0x9E3779B1U >> (32 - hash_bits);
}

// How far both are the same, of which so much is known.
std::size_t common_length(const std::uint8_t* a, const std::uint8_t* b, std::size_t known, std::size_t most) {
    std::size_t length = known;
    while (length + 8 <= most) {
        const std::uint64_t differing = photo::load64(a + length) ^ photo::load64(b + length);
        if (differing != 0) {
            if constexpr (std::endian::native == std::endian::little) {
                return length + static_cast<std::size_t>(std::countr_zero(differing)) / 8;
            }
            break;
        }
        length += 8;
    }
    while (length < most && a[length] == b[length]) ++length;
    return length;
}

}  // namespace

MatchFinder::MatchFinder(std::span<const std::uint8_t> data)
    : data_(data), roots_(std::size_t{1} << hash_bits, nowhere), children_(window) {}

void MatchFinder::insert(std::size_t place, std::vector<Match>& found) {
    const std::uint8_t* const here = data_.data() + place;
    const std::size_t most = std::min(longest_match, data_.size() - place);
    if (most < shortest_match) return;
    const auto now = static_cast<std::int32_t>(place);
    std::int32_t& root = roots_[hash(here)];
    std::int32_t other = root;
    root = now;
    // The tree is cut in two along the bytes that are here: what is smaller, and what is larger.
    Children* const children = children_.data();
    std::int32_t* smaller = &children[place % window].smaller;
    std::int32_t* larger = &children[place % window].larger;
    std::size_t common_with_smaller = 0;
    std::size_t common_with_larger = 0;
    std::size_t longest = shortest_match - 1;
    const std::size_t before = found.size();
    for (int step = 0; step < most_steps && now - other < static_cast<std::int32_t>(window); ++step) {
        const std::uint8_t* const there = data_.data() + other;
        Children& below = children[static_cast<std::size_t>(other) % window];
        const std::size_t length = common_length(here, there, std::min(common_with_smaller, common_with_larger), most);
        if (length > longest) {
            longest = length;
            const Match match{static_cast<std::uint16_t>(length), static_cast<std::uint16_t>(now - other)};
            if (found.size() - before == most_found) {
                found.back() = match;
            } else {
                found.push_back(match);
            }
        }
        if (length == most) {
            *smaller = below.smaller;
            *larger = below.larger;
            return;
        }
        if (there[length] < here[length]) {
            *smaller = other;
            smaller = &below.larger;
            other = *smaller;
            common_with_smaller = length;
        } else {
            *larger = other;
            larger = &below.smaller;
            other = *larger;
            common_with_larger = length;
        }
    }
    *smaller = nowhere;
    *larger = nowhere;
}

void MatchFinder::find(std::size_t count, Matches& matches) {
    matches.all.clear();
    matches.first.clear();
    for (std::size_t i = 0; i < count; ++i) {
        matches.first.push_back(static_cast<std::uint32_t>(matches.all.size()));
        insert(next_++, matches.all);
    }
    matches.first.push_back(static_cast<std::uint32_t>(matches.all.size()));
}

}  // namespace tessera::codecs::thorough
