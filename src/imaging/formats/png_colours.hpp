// Inside imaging only: what a PNG says about its colours without an ICC profile.
#pragma once

#include <string>

namespace tessera::imaging {

// The ICC profile that says the same as gAMA and cHRM, or cICP. Empty where that is sRGB, as it is where the file says
// nothing or says so in sRGB. The file is one without iCCP.
std::string stated_profile(int fd, bool grey);

}  // namespace tessera::imaging
