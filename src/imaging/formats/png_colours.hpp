// Inside imaging only: what a PNG says about its colours without an ICC profile.
#pragma once

#include <optional>

#include "imaging/colour/profile.hpp"

namespace tessera::imaging {

// From gAMA and cHRM, or cICP; nothing where that is sRGB, as it is where the file says nothing or says so in sRGB.
// The file is one without iCCP.
std::optional<ColourSpace> png_colour_space(int fd);

}  // namespace tessera::imaging
