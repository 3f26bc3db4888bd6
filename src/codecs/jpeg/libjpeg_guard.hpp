// libjpeg reports errors by not returning. A JpegGuard turns that into a jump to where the caller set one up, and
// keeps the message. Between setjmp and the jump there may be no object with a destructor.
#pragma once

#include <csetjmp>
#include <cstdio>
#include <string>

#include <jpeglib.h>  // needs <cstdio> before it

namespace tessera::codecs {

struct JpegGuard {
    jpeg_error_mgr base;  // first, so that libjpeg's pointer to it is a pointer to us
    std::jmp_buf jump;
    char message[JMSG_LENGTH_MAX];
    bool truncated;  // coded data ended early, or was damaged, and libjpeg went on with grey
    bool ended;      // the file ended without saying so

    jpeg_error_mgr* install();
    // Whether something of the picture is missing. Of several scans it is known when all have been read.
    [[nodiscard]] bool misses_pixels(const jpeg_decompress_struct& info) const;
};

}  // namespace tessera::codecs
