// A JPEG file as its markers, and the coded data between them freed from its stuffing.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/file.hpp"

namespace tessera::codecs {

class JpegInput {
  public:
    // From the file's beginning, whatever its position.
    explicit JpegInput(UniqueFd file);

    // The next marker, past whatever is before it; nothing where the file ends.
    std::optional<std::uint8_t> next_marker();
    // The same, past the restart markers of coded data.
    std::optional<std::uint8_t> next_marker_after_scan();
    // What belongs to a marker that comes with a length. False where the file ends, or the length is none.
    bool read_segment(std::vector<std::uint8_t>& body);
    // Coded data as far as the next marker: how much of `out` it filled. Nothing at a marker, and at the file's end.
    std::size_t read_coded(std::span<std::uint8_t> out);
    // Whether something looked past the file's end.
    [[nodiscard]] bool ended() const { return ended_; }

  private:
    bool refill();
    int next_byte();
    bool is_stuffed();

    UniqueFd file_;
    off_t offset_ = 0;
    std::vector<std::uint8_t> buffer_;
    std::size_t at_ = 0;
    std::size_t size_ = 0;
    std::optional<std::uint8_t> found_;  // a marker that reading coded data ran into
    bool ended_ = false;
};

}  // namespace tessera::codecs
