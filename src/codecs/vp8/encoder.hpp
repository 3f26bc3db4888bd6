// Encodes pictures as key frames of VP8, which is what lossy WebP is. Made for tiles: many small pictures at one
// quality, without taking memory for each.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>

#include "codecs/vp8/segments.hpp"

namespace tessera::codecs::vp8 {

// Luma of 16 to 235 and colours of 16 to 240, at half the size, rounded up.
struct Picture {
    int width = 0;  // 1 to 16383
    int height = 0;
    const std::uint8_t* planes[3] = {};
    std::ptrdiff_t strides[3] = {};
};

class Encoder {
  public:
    explicit Encoder(double quality);  // 0 to 100
    ~Encoder();
    Encoder(const Encoder&) = delete;
    Encoder& operator=(const Encoder&) = delete;

    // A WebP file. Its bytes are the encoder's own until the next call, and the same for the same picture. Nothing for
    // a large picture whose modes take more than the format has room for. `progress` is told the share that is done.
    std::optional<std::span<const std::uint8_t>> encode(const Picture& picture,
                                                        const std::function<void(double)>& progress = {});
    // With segments that somebody else chose, for each macroblock of the picture, whatever the quality.
    std::optional<std::span<const std::uint8_t>> encode(const Picture& picture, const Segments& segments);
    // The last picture again, with other filters: all else is as it was.
    std::optional<std::span<const std::uint8_t>> with_filters(const std::array<int, most_segments>& filters);

    // Of the last picture.
    [[nodiscard]] const Segments& segments() const;
    // How much there was to tell of the levels of each macroblock: about so many bits.
    [[nodiscard]] std::span<const std::uint32_t> sizes() const;

  private:
    class Work;
    std::unique_ptr<Work> work_;
};

}  // namespace tessera::codecs::vp8
