// Encodes pictures as key frames of VP8, which is what lossy WebP is. Made for tiles: many small pictures at one
// quality, without taking memory for each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>

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

  private:
    class Work;
    std::unique_ptr<Work> work_;
};

}  // namespace tessera::codecs::vp8
