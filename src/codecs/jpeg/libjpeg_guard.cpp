#include "codecs/jpeg/libjpeg_guard.hpp"

#include <jerror.h>

#include <algorithm>

namespace tessera::codecs {
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
    if (code == JWRN_HIT_MARKER) guard->truncated = true;
    if (code == JWRN_JPEG_EOF) guard->ended = true;
}

void stay_silent(j_common_ptr) {}

// A progressive file has all of its bits when every coefficient of every component has come to its last.
bool has_all_bits(const jpeg_decompress_struct& info) {
    if (info.coef_bits == nullptr) return false;
    for (int component = 0; component < info.num_components; ++component) {
        const int* missing = info.coef_bits[component];
        if (!std::all_of(missing, missing + DCTSIZE2, [](int bits) { return bits == 0; })) return false;
    }
    return true;
}

}  // namespace

jpeg_error_mgr* JpegGuard::install() {
    jpeg_std_error(&base);
    base.error_exit = leave;
    base.emit_message = note;
    base.output_message = stay_silent;
    message[0] = '\0';
    truncated = false;
    ended = false;
    return &base;
}

bool JpegGuard::misses_pixels(const jpeg_decompress_struct& info) const {
    if (truncated || !ended) return truncated;
    const bool several_scans = info.progressive_mode != 0 || info.comps_in_scan < info.num_components;
    return several_scans && !has_all_bits(info);
}

}  // namespace tessera::codecs
