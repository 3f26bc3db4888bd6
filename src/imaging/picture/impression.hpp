// What a picture looks like, in a few bytes: placeholders that pages show until it is there, and its colours.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/colour.hpp"
#include "core/job.hpp"
#include "imaging/pixels/image.hpp"
#include "imaging/pixels/small_picture.hpp"

namespace tessera::imaging {

struct Impression {
    std::vector<std::uint8_t> thumbhash;
    std::string blurhash;
    std::vector<Colour> palette;  // the colour of most of the picture first
};

// Nothing of a picture that is all transparent.
std::optional<Impression> impression_of(const SmallPicture& picture);

std::vector<std::uint8_t> thumbhash_of(const SmallPicture& picture);
// Transparent parts are of the picture's mean colour, as there is no other for them.
std::string blurhash_of(const SmallPicture& picture);
// Six at most, no two of which look alike.
std::vector<Colour> palette_of(const SmallPicture& picture);

// The same picture, whose rows are summed up as they pass on their way to a file. Eight-bit sRGB or grey.
JobResult<Image> summed(const Image& image, std::shared_ptr<SmallSums> sums);
// For summed().
std::shared_ptr<SmallSums> sums_for(const Image& image);

// Of a picture that is in memory, whatever its colours.
JobResult<SmallPicture> small_picture(const Image& image);

}  // namespace tessera::imaging
