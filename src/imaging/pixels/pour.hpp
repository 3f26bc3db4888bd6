// Inside imaging only: all rows of a picture, from top to bottom, to one receiver. Listeners to the picture's signals
// hear how far it is and may stop it, as they would hear of any other work of libvips'.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>
#include <vips/vips8>

namespace tessera::imaging {

struct RowBlock {
    const std::uint8_t* first = nullptr;
    std::ptrdiff_t stride = 0;
    int count = 0;

    [[nodiscard]] const std::uint8_t* row(int i) const { return first + stride * i; }
};

// False where nothing more is wanted.
using TakeRows = std::function<bool(const RowBlock&)>;

// From libvips' threads, one at a time, while others make further rows. False where `take` said so. Throws VError, and
// what `take` throws.
bool pour_beside(const vips::VImage& image, const TakeRows& take);

// The same; a picture of few pixels comes from this thread alone, where no part of libvips is in its way.
bool pour(const vips::VImage& image, const TakeRows& take);

// The pixels of all rows, one after the other.
std::vector<std::uint8_t> all_pixels(const vips::VImage& image);

}  // namespace tessera::imaging
