// The steps between opening a picture and saving it. Each describes work; pixels move when the picture is saved.
#pragma once

#include "core/colour.hpp"
#include "core/job.hpp"
#include "imaging/pixels/fit.hpp"
#include "imaging/pixels/image.hpp"
#include "imaging/pixels/resampler.hpp"
#include "imaging/pixels/turn.hpp"

namespace tessera::imaging {

// Resampled with Lanczos-3; transparent pixels do not bleed into their neighbours.
JobResult<Image> scale_to(const Image& image, Size size);
// The same of a part of the picture. Where our own resampler can't do it, the part is taken to whole pixels.
JobResult<Image> scale_to(const Image& image, const Part& part, Size size);

// Eight-bit sRGB, or grey where the picture is grey, through the embedded profile if there is a usable one.
JobResult<Image> to_srgb(const Image& image);

// Turned and mirrored as its EXIF orientation says; the tag is gone afterwards.
JobResult<Image> upright(const Image& image);
// Turned and mirrored in this way instead; the tag is gone afterwards too.
JobResult<Image> laid(const Image& image, Turn turn);

// A part of it.
JobResult<Image> cut(const Image& image, const Area& area);

// Cut to `size` where the content, looked at by attention or entropy, says.
JobResult<Image> crop_by_content(const Image& image, Size size, Position position);

// On a larger canvas of one colour. A colour that is not opaque, or not grey, widens the picture's bands as needed.
JobResult<Image> extend(const Image& image, Size canvas, Offset at, Colour background);

// Without transparency.
JobResult<Image> flatten(const Image& image, Colour background);

}  // namespace tessera::imaging
