#include "codecs/jpeg/libjpeg_destination.hpp"

namespace tessera::codecs {
namespace {

constexpr std::size_t first_size = std::size_t{64} << 10;

JpegDestination& destination_of(j_compress_ptr info) {
    return *reinterpret_cast<JpegDestination*>(info->dest);
}

void start(j_compress_ptr info) {
    JpegDestination& it = destination_of(info);
    it.base.next_output_byte = it.bytes.data();
    it.base.free_in_buffer = it.bytes.size();
}

boolean grow(j_compress_ptr info) {
    JpegDestination& it = destination_of(info);
    const std::size_t used = it.bytes.size();
    it.bytes.resize(used * 2);
    it.base.next_output_byte = it.bytes.data() + used;
    it.base.free_in_buffer = it.bytes.size() - used;
    return TRUE;
}

void finish(j_compress_ptr) {}

}  // namespace

void JpegDestination::install(jpeg_compress_struct& info) {
    bytes.resize(first_size);
    base.init_destination = start;
    base.empty_output_buffer = grow;
    base.term_destination = finish;
    info.dest = &base;
}

}  // namespace tessera::codecs
