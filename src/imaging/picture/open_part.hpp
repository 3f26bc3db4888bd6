// A part of a source image, decoded no finer than it will be used.
#pragma once

#include "imaging/picture/open.hpp"
#include "imaging/pixels/resampler.hpp"
#include "imaging/pixels/turn.hpp"

namespace tessera::imaging {

// Pixels of the part, and where exactly it lies in them: a reducing decoder's pixels seldom end where it does, so that
// it may begin before the first and end behind the last.
struct OpenedPart {
    Image image;
    Part part;
};

// Of a picture that was opened and not read from. `area` is in pixels of the file, before orientation, and is to become
// `size` or less.
JobResult<OpenedPart> open_part(const Image& opened, const Source& source, const Area& area, Size size);

// All of it.
JobResult<OpenedPart> open_whole(const Source& source, Size size);

}  // namespace tessera::imaging
