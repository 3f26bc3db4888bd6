// Orders in which a progressive JPEG may send its coefficients. Which of them is the smallest depends on the picture.
#pragma once

#include <cstdio>  // jpeglib.h needs it

#include <jpeglib.h>

#include <span>
#include <vector>

namespace tessera::codecs {

// Of a picture with one component or three; empty for others.
using ScanScript = std::vector<jpeg_scan_info>;
std::span<const ScanScript> scan_scripts(int components);

}  // namespace tessera::codecs
