#include "imaging/formats/jxl_boxes.hpp"

#include <unistd.h>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace tessera::imaging {
namespace {

constexpr int most_boxes = 1000;
constexpr std::uint64_t longest = std::uint64_t{8} << 20;  // of metadata

std::uint64_t big_endian(std::string_view bytes) {
    std::uint64_t value = 0;
    for (const char byte : bytes) value = value << 8 | static_cast<std::uint8_t>(byte);
    return value;
}

// As many bytes as there are.
std::string read_at(int fd, std::uint64_t offset, std::size_t size) {
    std::string bytes(size, '\0');
    const ssize_t got = ::pread(fd, bytes.data(), size, static_cast<off_t>(offset));
    bytes.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
    return bytes;
}

void set(const vips::VImage& image, const char* name, std::string_view data) {
    if (!data.empty()) vips_image_set_blob_copy(image.get_image(), name, data.data(), data.size());
}

}  // namespace

vips::VImage with_boxes(int fd, const vips::VImage& image) {
    vips::VImage told = image.copy();
    std::uint64_t offset = 0;
    for (int count = 0; count < most_boxes; ++count) {
        const std::string head = read_at(fd, offset, 16);
        if (head.size() < 8 || head.starts_with("\xFF\x0A")) break;  // the end, or a codestream without boxes
        std::uint64_t length = big_endian(head.substr(0, 4));
        std::uint64_t start = 8;
        if (length == 1 && head.size() == 16) {
            length = big_endian(head.substr(8, 8));
            start = 16;
        }
        const std::string_view type = std::string_view(head).substr(4, 4);
        const bool last = length == 0;
        if (!last && (length < start || length > UINT64_MAX / 4)) break;
        if ((type == "Exif" || type == "xml ") && (last || length - start <= longest)) {
            const std::string data = read_at(fd, offset + start, last ? longest : length - start);
            // EXIF starts with how far it is to the TIFF header.
            const std::uint64_t skipped = type == "Exif" ? 4 + big_endian(std::string_view(data).substr(0, 4)) : 0;
            if (skipped < data.size()) {
                set(told, type == "Exif" ? VIPS_META_EXIF_NAME : VIPS_META_XMP_NAME,
                    std::string_view(data).substr(skipped));
            }
        }
        if (last) break;
        offset += length;
    }
    return told;
}

}  // namespace tessera::imaging
