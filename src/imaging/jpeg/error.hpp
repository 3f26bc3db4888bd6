// libjpeg reports errors by not returning. A JpegGuard turns that into a jump to where the caller set one up, and
// keeps the message. Between setjmp and the jump there may be no object with a destructor.
#pragma once

#include <csetjmp>
#include <cstdio>
#include <string>

#include <jpeglib.h>  // needs <cstdio> before it

namespace tessera::imaging {

struct JpegGuard {
    jpeg_error_mgr base;  // first, so that libjpeg's pointer to it is a pointer to us
    std::jmp_buf jump;
    char message[JMSG_LENGTH_MAX];
    bool truncated;  // the data ended early, or was damaged, and libjpeg went on with grey

    jpeg_error_mgr* install();
};

}  // namespace tessera::imaging
