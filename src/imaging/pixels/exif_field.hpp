// Inside imaging only: where EXIF lies in a libvips picture that our own code reads. What is set under libvips' own
// name is taken apart by it, into a text for each entry, and every picture that is made from that one copies them all.
#pragma once

namespace tessera::imaging {

inline constexpr const char* own_exif_field = "tessera-exif";

}  // namespace tessera::imaging
