// Feeds libjpeg from a descriptor. In large pieces: with less than a few kilobytes at hand it
// decodes byte by byte.
#pragma once

#include <sys/types.h>

#include <vector>

#include "codecs/jpeg/libjpeg_guard.hpp"

namespace tessera::codecs {

struct JpegSource {
    jpeg_source_mgr base;  // first, so that libjpeg's pointer to it is a pointer to us
    jpeg_progress_mgr progress;
    int fd;
    off_t offset;
    std::vector<JOCTET> buffer;

    // From the file's beginning, whatever its position. `info` has a JpegGuard, and must not outlive this. A file with
    // absurdly many scans, each of which costs a pass over the whole picture, is an error.
    void install(jpeg_decompress_struct& info, int file);
};

}  // namespace tessera::codecs
