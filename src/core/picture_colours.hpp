// What is left of a picture's colours when it is shown.
#pragma once

#include <cstdint>

namespace tessera {

enum class PictureColours : std::uint8_t { all, grey, black_and_white };

}  // namespace tessera
