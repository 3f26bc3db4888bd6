// Inside strip only: one function for each family of files.
#pragma once

#include "codecs/bytes/file_bytes.hpp"
#include "codecs/strip/strip.hpp"

namespace tessera::codecs {

std::optional<Pieces> strip_jpeg(FileBytes file, int orientation);
std::optional<Pieces> strip_png(FileBytes file, int orientation);
std::optional<Pieces> strip_webp(FileBytes file, int orientation);
std::optional<Pieces> strip_gif(FileBytes file);
std::optional<Pieces> strip_heif(FileBytes file);  // and avif
std::optional<Pieces> strip_jxl(FileBytes file);

}  // namespace tessera::codecs
