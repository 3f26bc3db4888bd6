// A tile as an answer: its entity tag and its bytes.
#pragma once

#include <array>
#include <charconv>
#include <string_view>
#include <utility>

#include "http/message/response.hpp"
#include "service/delivery/tiles.hpp"

namespace tessera::http {

// An archive's tag and the tile's place in it: different bytes never share one.
class TileTag {
  public:
    explicit TileTag(const service::Tile& tile) {
        char* end = text_.data() + text_.size();
        char* at = text_.data();
        *at++ = '"';
        at = std::to_chars(at, end, tile.archive, 16).ptr;
        *at++ = '-';
        at = std::to_chars(at, end, tile.offset, 16).ptr;
        *at++ = '"';
        length_ = static_cast<std::size_t>(at - text_.data());
    }
    [[nodiscard]] std::string_view text() const { return {text_.data(), length_}; }

  private:
    std::array<char, 40> text_;
    std::size_t length_ = 0;
};

// Copying less than this into the socket is cheaper than a second system call, which saves the copy.
inline constexpr std::size_t smallest_sent_from_its_file = 4096;

inline ResponseBody body_of(service::Tile& tile) {
    if (tile.file < 0 || tile.bytes.size() < smallest_sent_from_its_file) {
        return SharedBytes{std::move(tile.owner), tile.bytes};
    }
    return ResidentSlice{std::move(tile.owner), tile.file, tile.offset, tile.bytes.size()};
}

}  // namespace tessera::http
