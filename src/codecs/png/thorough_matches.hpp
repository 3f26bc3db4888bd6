// Inside thorough deflate only: finds where bytes occurred before.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "codecs/png/thorough_tokens.hpp"

namespace tessera::codecs::thorough {

struct Match {
    std::uint16_t length = 0;
    std::uint16_t distance = 0;
};

// The matches of some bytes, place by place: longer ones are farther away.
struct Matches {
    std::vector<Match> all;
    std::vector<std::uint32_t> first;  // of each place, and the end
    [[nodiscard]] std::span<const Match> at(std::size_t place) const {
        return {all.data() + first[place], all.data() + first[place + 1]};
    }
};

// Goes through the data once. What begins with the same three bytes is in one binary tree, ordered by the bytes that
// follow; who came last is on top, so that a search meets the nearest match of every length.
class MatchFinder {
  public:
    explicit MatchFinder(std::span<const std::uint8_t> data);
    // Of the next `count` bytes.
    void find(std::size_t count, Matches& matches);

  private:
    static constexpr std::size_t window = 1U << 15;
    static constexpr std::int32_t nowhere = -static_cast<std::int32_t>(window) - 1;

    void insert(std::size_t place, std::vector<Match>& found);

    std::span<const std::uint8_t> data_;
    std::size_t next_ = 0;
    std::vector<std::int32_t> roots_;
    struct Children {
        std::int32_t smaller;
        std::int32_t larger;
    };
    std::vector<Children> children_;  // of the places in the window
};

}  // namespace tessera::codecs::thorough
