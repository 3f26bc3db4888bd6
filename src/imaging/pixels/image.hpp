// A picture that may not be decoded yet: a handle on a libvips pipeline that keeps libvips out of our headers.
#pragma once

#include <cstdint>
#include <memory>

namespace tessera::imaging {

class Image {
  public:
    struct Handle;
    explicit Image(std::shared_ptr<const Handle> handle) : handle_(std::move(handle)) {}

    [[nodiscard]] std::int64_t width() const;
    [[nodiscard]] std::int64_t height() const;
    [[nodiscard]] bool has_alpha() const;
    [[nodiscard]] int bits_per_sample() const;
    [[nodiscard]] bool is_grey() const;
    [[nodiscard]] bool is_cmyk() const;
    [[nodiscard]] bool has_profile() const;
    // EXIF orientation, 1 to 8, that is still to be applied.
    [[nodiscard]] int orientation() const;

    [[nodiscard]] const Handle& handle() const { return *handle_; }

  private:
    std::shared_ptr<const Handle> handle_;
};

// EXIF orientations 5 to 8 swap width and height.
constexpr bool swaps_axes(int orientation) {
    return orientation >= 5 && orientation <= 8;
}

}  // namespace tessera::imaging
