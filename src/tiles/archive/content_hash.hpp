// A fast 128-bit hash to find equal tiles by. Seeded afresh in each process, so that nobody can prepare two
// different tiles that collide; never stored.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

namespace tessera::tiles {

struct ContentHash {
    std::uint64_t low = 0;
    std::uint64_t high = 0;
    bool operator==(const ContentHash&) const = default;
};

// Hashes a sequence of byte runs, such as the rows of a tile. Equal sequences of runs give equal hashes.
class ContentHasher {
  public:
    ContentHasher();
    void update(std::span<const std::uint8_t> bytes);
    void update(std::uint64_t number);
    [[nodiscard]] ContentHash finish() const;

  private:
    std::uint64_t a_;
    std::uint64_t b_;
    std::uint64_t c_;
    std::uint64_t d_;
};

ContentHash content_hash(std::span<const std::uint8_t> bytes);

}  // namespace tessera::tiles

template <>
struct std::hash<tessera::tiles::ContentHash> {
    std::size_t operator()(const tessera::tiles::ContentHash& content) const noexcept { return content.low; }
};
