#include "imaging/jpeg/error.hpp"

#include <jerror.h>

namespace tessera::imaging {
namespace {

void leave(j_common_ptr info) {
    auto* guard = reinterpret_cast<JpegGuard*>(info->err);
    (*info->err->format_message)(info, guard->message);
    std::longjmp(guard->jump, 1);
}

void note(j_common_ptr info, int level) {
    if (level >= 0) return;
    ++info->err->num_warnings;
    auto* guard = reinterpret_cast<JpegGuard*>(info->err);
    const int code = info->err->msg_code;
    if (code == JWRN_JPEG_EOF || code == JWRN_HIT_MARKER) guard->truncated = true;
}

void stay_silent(j_common_ptr) {}

}  // namespace

jpeg_error_mgr* JpegGuard::install() {
    jpeg_std_error(&base);
    base.error_exit = leave;
    base.emit_message = note;
    base.output_message = stay_silent;
    message[0] = '\0';
    truncated = false;
    return &base;
}

}  // namespace tessera::imaging
