#include "support/images.hpp"

#include <sys/mman.h>
#include <unistd.h>
#include <vips/vips.h>
#include <zlib.h>

#include <memory>
#include <span>
#include <stdexcept>
#include <vector>

#include "imaging/pixels/vips_runtime.hpp"

namespace tessera::test {
namespace {

struct Unref {
    void operator()(gpointer object) const { g_object_unref(object); }
};
using Image = std::unique_ptr<VipsImage, Unref>;

void check(int result) {
    if (result != 0) throw std::runtime_error(vips_error_buffer());
}

Image noisy(const Picture& picture, int height) {
    const std::size_t samples = static_cast<std::size_t>(picture.width) * static_cast<std::size_t>(height) *
                                static_cast<std::size_t>(picture.bands);
    std::vector<std::uint8_t> pixels(samples);
    std::uint32_t state = 12345;
    for (std::size_t i = 0; i < samples; ++i) {
        state = state * 1664525U + 1013904223U;
        pixels[i] = static_cast<std::uint8_t>((i / 7 + (state >> 28)) & 0xff);
    }
    Image image(vips_image_new_from_memory_copy(pixels.data(), samples, picture.width, height, picture.bands,
                                                VIPS_FORMAT_UCHAR));
    VipsImage* typed = nullptr;
    const VipsInterpretation space = picture.cmyk        ? VIPS_INTERPRETATION_CMYK
                                     : picture.bands < 3 ? VIPS_INTERPRETATION_B_W
                                                         : VIPS_INTERPRETATION_sRGB;
    check(vips_copy(image.get(), &typed, "interpretation", space, nullptr));
    return Image(typed);
}

Image deepened(const VipsImage* image, int bands) {
    VipsImage* scaled = nullptr;
    check(vips_linear1(const_cast<VipsImage*>(image), &scaled, 257.0, 0.0, nullptr));
    const Image keep(scaled);
    VipsImage* deep = nullptr;
    check(vips_cast(scaled, &deep, VIPS_FORMAT_USHORT, nullptr));
    const Image keep_deep(deep);
    VipsImage* typed = nullptr;
    check(vips_copy(deep, &typed, "interpretation", bands < 3 ? VIPS_INTERPRETATION_GREY16 : VIPS_INTERPRETATION_RGB16,
                    nullptr));
    return Image(typed);
}

std::string encoded(VipsImage* image, ImageFormat format) {
    void* data = nullptr;
    size_t size = 0;
    switch (format) {
        case ImageFormat::jpeg: check(vips_jpegsave_buffer(image, &data, &size, nullptr)); break;
        case ImageFormat::png: check(vips_pngsave_buffer(image, &data, &size, nullptr)); break;
        case ImageFormat::webp: check(vips_webpsave_buffer(image, &data, &size, nullptr)); break;
        case ImageFormat::gif: check(vips_gifsave_buffer(image, &data, &size, nullptr)); break;
        case ImageFormat::avif:
            check(vips_heifsave_buffer(image, &data, &size, "compression", VIPS_FOREIGN_HEIF_COMPRESSION_AV1, "effort",
                                       0, nullptr));
            break;
        case ImageFormat::heif:
            check(
                vips_heifsave_buffer(image, &data, &size, "compression", VIPS_FOREIGN_HEIF_COMPRESSION_HEVC, nullptr));
            break;
        case ImageFormat::jxl: check(vips_jxlsave_buffer(image, &data, &size, "effort", 3, nullptr)); break;
    }
    std::string bytes(static_cast<const char*>(data), size);
    g_free(data);
    return bytes;
}

std::string big_endian(std::uint32_t value) {
    return {static_cast<char>(value >> 24), static_cast<char>(value >> 16), static_cast<char>(value >> 8),
            static_cast<char>(value)};
}

}  // namespace

std::string make_image(const Picture& picture) {
    if (const auto started = imaging::start_vips(); !started) throw std::runtime_error(started.error().detail);
    Image image = noisy(picture, picture.height * picture.pages);
    if (picture.deep) image = deepened(image.get(), picture.bands);
    if (picture.orientation != 0) vips_image_set_int(image.get(), VIPS_META_ORIENTATION, picture.orientation);
    if (picture.pages > 1) vips_image_set_int(image.get(), VIPS_META_PAGE_HEIGHT, picture.height);
    return encoded(image.get(), picture.format);
}

std::string png_chunk(std::string_view type, std::string_view data) {
    std::string body(type);
    body += data;
    const auto crc = ::crc32(0, reinterpret_cast<const Bytef*>(body.data()), static_cast<uInt>(body.size()));
    return big_endian(static_cast<std::uint32_t>(data.size())) + body + big_endian(static_cast<std::uint32_t>(crc));
}

std::string png_header(std::uint32_t width, std::uint32_t height, int bit_depth, int colour_type) {
    std::string header = big_endian(width) + big_endian(height);
    header += {static_cast<char>(bit_depth), static_cast<char>(colour_type), 0, 0, 0};
    return "\x89PNG\r\n\x1a\n" + png_chunk("IHDR", header);
}

std::string zlib_compressed(std::string_view data) {
    uLongf size = ::compressBound(data.size());
    std::string out(size, '\0');
    if (::compress2(reinterpret_cast<Bytef*>(out.data()), &size, reinterpret_cast<const Bytef*>(data.data()),
                    data.size(), 9) != Z_OK) {
        throw std::runtime_error("compress2");
    }
    out.resize(size);
    return out;
}

std::string jpeg_header(std::uint16_t width, std::uint16_t height) {
    using namespace std::string_literals;
    const std::string size = big_endian(static_cast<std::uint32_t>(height) << 16 | width);
    return "\xff\xd8\xff\xc0\0\x11\x08"s + size + "\3\1\x11\0\2\x11\0\3\x11\0\xff\xda\0\x0c\3\1\0\2\0\3\0\0\x3f\0"s;
}

UniqueFd file_with(std::string_view bytes) {
    UniqueFd file(::memfd_create("picture", MFD_CLOEXEC));
    if (!file) throw std::runtime_error("memfd_create");
    const auto written =
        write_all(file.get(), std::span(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()));
    if (!written) throw std::runtime_error(written.error().detail);
    ::lseek(file.get(), 0, SEEK_SET);
    return file;
}

}  // namespace tessera::test
