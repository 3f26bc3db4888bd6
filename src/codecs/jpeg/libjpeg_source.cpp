#include "codecs/jpeg/libjpeg_source.hpp"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

namespace tessera::codecs {
namespace {

constexpr std::size_t read_size = 256U << 10;
constexpr int max_scans = 200;

JpegSource& source_of(j_decompress_ptr info) {
    return *reinterpret_cast<JpegSource*>(info->src);
}

boolean fill(j_decompress_ptr info) {
    static constexpr std::array<JOCTET, 2> end_of_image = {0xff, JPEG_EOI};
    JpegSource& it = source_of(info);
    ssize_t got = 0;
    do {
        got = ::pread(it.fd, it.buffer.data(), it.buffer.size(), it.offset);
    } while (got < 0 && errno == EINTR);
    if (got <= 0) {
        reinterpret_cast<JpegGuard*>(info->err)->ended = true;
        it.base.next_input_byte = end_of_image.data();
        it.base.bytes_in_buffer = end_of_image.size();
        return TRUE;
    }
    it.offset += got;
    it.base.next_input_byte = it.buffer.data();
    it.base.bytes_in_buffer = static_cast<std::size_t>(got);
    return TRUE;
}

void skip(j_decompress_ptr info, long count) {
    JpegSource& it = source_of(info);
    if (count <= 0) return;
    const auto wanted = static_cast<std::size_t>(count);
    if (wanted <= it.base.bytes_in_buffer) {
        it.base.next_input_byte += wanted;
        it.base.bytes_in_buffer -= wanted;
        return;
    }
    it.offset += static_cast<off_t>(wanted - it.base.bytes_in_buffer);
    it.base.bytes_in_buffer = 0;
}

void do_nothing(j_decompress_ptr) {}

void stop_endless_scans(j_common_ptr info) {
    if (!info->is_decompressor) return;
    if (reinterpret_cast<j_decompress_ptr>(info)->input_scan_number <= max_scans) return;
    auto* guard = reinterpret_cast<JpegGuard*>(info->err);
    std::strncpy(guard->message, "too many scans", sizeof guard->message - 1);
    std::longjmp(guard->jump, 1);
}

}  // namespace

void JpegSource::install(jpeg_decompress_struct& info, int file) {
    base.init_source = do_nothing;
    base.fill_input_buffer = fill;
    base.skip_input_data = skip;
    base.resync_to_restart = jpeg_resync_to_restart;
    base.term_source = do_nothing;
    fd = file;
    buffer.resize(read_size);
    info.src = &base;
    progress.progress_monitor = stop_endless_scans;
    info.progress = &progress;
}

}  // namespace tessera::codecs
