// Input: any file, of which the checksums of chunks are put right first, so that damage gets further. Our reader of
// plain PNGs must stay within its buffers, end, and agree with libpng on every picture that both can read.
#include <libdeflate.h>

#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <string>
#include <vips/vips8>

#include "codecs/png/reader.hpp"
#include "core/hex.hpp"
#include "imaging/pixels/box_shrink.hpp"
#include "imaging/pixels/vips_runtime.hpp"
#include "support/images.hpp"

namespace {

using namespace tessera;
using namespace tessera::imaging;
using vips::VImage;

std::string with_right_checksums(const std::uint8_t* data, std::size_t size) {
    std::string file(reinterpret_cast<const char*>(data), size);
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(file.data());
    for (std::size_t at = 8; at + 12 <= size;) {
        const std::size_t length = codecs::big_endian(bytes + at);
        if (length > size - at - 12) break;
        const std::uint32_t checksum = libdeflate_crc32(0, bytes + at + 4, length + 4);
        for (std::size_t i = 0; i < 4; ++i) file[at + 8 + length + i] = static_cast<char>(checksum >> (24 - 8 * i));
        at += 12 + length;
    }
    return file;
}

// Empty where the file is not ours to read, or damaged.
std::string read_with_ours(const std::string& file) {
    const auto fd = test::file_with(file);
    const auto reader = codecs::PngReader::open(fd.get());
    constexpr std::int64_t most_pixels = 1 << 16;  // more take time and show nothing new
    if (!reader || std::int64_t{reader->width()} * reader->height() > most_pixels) return {};
    const bool can_shrink = BoxShrink::can(reader->bands(), reader->sample_bytes());
    BoxShrink shrink(reader->width(), reader->bands(), reader->sample_bytes(), {3, 2});
    std::string shrunk(reader->row_size() + 8, '\0');
    std::string pixels;
    for (int y = 0; y < reader->height(); ++y) {
        const std::uint8_t* row = reader->next_row();
        if (row == nullptr) return {};
        pixels.append(reinterpret_cast<const char*>(row), reader->row_size());
        if (!can_shrink) continue;
        shrink.add(row);
        if (y % 2 == 1) shrink.take(reinterpret_cast<std::uint8_t*>(shrunk.data()));
    }
    if (reader->next_row() != nullptr) std::abort();
    return pixels;
}

// Empty where it can't, or says that it could and was stopped before it had.
std::string read_with_libvips(const std::string& file) try {
    take_vips_error();
    const auto fd = test::file_with(file);
    const VImage image = VImage::pngload_source(
        vips::VSource::new_from_descriptor(fd.get()),
        VImage::option()->set("access", VIPS_ACCESS_SEQUENTIAL)->set("fail_on", VIPS_FAIL_ON_ERROR));
    std::size_t size = 0;
    void* memory = image.write_to_memory(&size);
    std::string pixels(static_cast<const char*>(memory), size);
    g_free(memory);
    return rows_have_failed() ? std::string() : pixels;
} catch (const vips::VError&) {
    vips_error_clear();
    return {};
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const bool started = start_vips().ok();
    if (!started) std::abort();
    const std::string file = with_right_checksums(data, size);
    const std::string ours = read_with_ours(file);
    if (ours.empty()) return 0;
    const std::string theirs = read_with_libvips(file);
    if (theirs.empty() || theirs == ours) return 0;
    std::cerr << "libpng reads this otherwise:\n"
              << to_hex({reinterpret_cast<const std::uint8_t*>(file.data()), file.size()}) << '\n';
    std::abort();
}
