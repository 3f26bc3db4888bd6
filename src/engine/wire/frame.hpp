// The framing between host and engines: four bytes of length, least significant first, then that much JSON. A frame
// from host to engine may bring open files along.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/result.hpp"

namespace tessera::engine {

inline constexpr std::size_t frame_head_bytes = 4;
inline constexpr std::size_t max_frame_bytes = std::size_t{16} << 20;  // thousands of patches with their options fit
inline constexpr std::size_t max_reply_bytes = std::size_t{64} << 10;  // an engine has far less to say

std::array<std::uint8_t, frame_head_bytes> frame_head(std::size_t body_bytes);
std::size_t frame_body_bytes(std::span<const std::uint8_t, frame_head_bytes> head);

// Cuts a stream of bytes into frames, whatever pieces it arrives in. The length is judged before a byte of the body is
// stored: an engine that was taken over can't make its host allocate.
class FrameReader {
  public:
    explicit FrameReader(std::size_t max_bytes = max_frame_bytes) : max_bytes_(max_bytes) {}

    void feed(std::span<const std::uint8_t> bytes);
    // The next whole frame, nothing while there is none, or an error for good when a frame is too long.
    Result<std::optional<std::string>> next();

  private:
    std::size_t max_bytes_;
    std::string buffer_;
    std::size_t taken_ = 0;
};

}  // namespace tessera::engine
