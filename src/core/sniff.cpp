#include "core/sniff.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "core/text.hpp"

namespace tessera {
namespace {

using namespace std::string_view_literals;

struct Magic {
    std::size_t offset;
    std::string_view bytes;
    std::string_view what;
};

// What people upload by mistake (or not by mistake), so that the refusal can name it. First match wins.
constexpr std::array named_others = {
    Magic{0, "II*\0"sv, "a TIFF image"},
    Magic{0, "MM\0*"sv, "a TIFF image"},
    Magic{0, "II+\0"sv, "a TIFF image"},
    Magic{0, "MM\0+"sv, "a TIFF image"},
    Magic{0, "%PDF-"sv, "a PDF document"},
    Magic{0, "%!PS"sv, "a PostScript document"},
    Magic{0, "BM"sv, "a BMP image"},
    Magic{0, "8BPS"sv, "a Photoshop document"},
    Magic{0, "\0\0\1\0"sv, "an ICO image"},
    Magic{0, "\0\0\0\x0cjP  "sv, "a JPEG 2000 image"},
    Magic{0, "\xff\x4f\xff\x51"sv, "a JPEG 2000 image"},
    Magic{0, "\x76\x2f\x31\x01"sv, "an OpenEXR image"},
    Magic{0, "#?RADIANCE"sv, "a Radiance HDR image"},
    Magic{0, "qoif"sv, "a QOI image"},
    Magic{0, "DDS "sv, "a DDS image"},
    Magic{0, "SIMPLE  ="sv, "a FITS image"},
    Magic{0, "farbfeld"sv, "a farbfeld image"},
    Magic{0, "gimp xcf"sv, "a GIMP image"},
    Magic{0, "\xd7\xcd\xc6\x9a"sv, "a WMF image"},
    Magic{0, "PK\3\4"sv, "a ZIP archive"},
    Magic{0, "\x1f\x8b"sv, "a gzip file"},
    Magic{0, "\x1a\x45\xdf\xa3"sv, "a Matroska or WebM video"},
    Magic{8, "AVI "sv, "an AVI video"},
    Magic{8, "WAVE"sv, "a WAVE sound"},
    Magic{0,
          "\x7f"
          "ELF"sv,
          "a program"},
    Magic{0, "MZ"sv, "a program"},
    Magic{0, "#!"sv, "a script"},
};

constexpr std::array avif_brands = {"avif"sv, "avis"sv, "avio"sv};
constexpr std::array heif_brands = {"heic"sv, "heix"sv, "heim"sv, "heis"sv, "hevc"sv,
                                    "hevx"sv, "hevm"sv, "hevs"sv, "mif1"sv, "msf1"sv};

bool has_at(std::string_view head, std::size_t offset, std::string_view bytes) {
    return head.size() >= offset && head.substr(offset).starts_with(bytes);
}

std::uint32_t big_endian_32(std::string_view bytes) {
    std::uint32_t value = 0;
    for (const char byte : bytes.substr(0, 4)) value = value << 8 | static_cast<std::uint8_t>(byte);
    return value;
}

Sniffed image(ImageFormat format) {
    return {Sniffed::Kind::image, format, {}};
}

Sniffed unsupported(std::string_view what) {
    return {Sniffed::Kind::unsupported, std::nullopt, what};
}

// An ISO base media file: the brands of its first box say what is inside. "mif1" alone says only that it is a HEIF
// of some kind, so a more telling brand in the list wins over it.
Sniffed by_brands(std::string_view head, bool all_there) {
    const std::size_t box = std::min<std::size_t>(big_endian_32(head), sniff_length);
    if (box < 16) return unsupported("a damaged ISO media file");
    if (head.size() < box && !all_there) return {};

    bool heif = false;
    for (std::size_t at = 8; at + 4 <= std::min(box, head.size()); at += 4) {
        if (at == 12) continue;  // the minor version
        const std::string_view brand = head.substr(at, 4);
        if (std::ranges::count(avif_brands, brand) > 0) return image(ImageFormat::avif);
        if (std::ranges::count(heif_brands, brand) > 0) {
            if (!brand.ends_with("f1")) return image(ImageFormat::heif);
            heif = true;
        }
    }
    if (heif) return image(ImageFormat::heif);
    if (has_at(head, 8, "qt  ")) return unsupported("a QuickTime video");
    if (has_at(head, 8, "crx ")) return unsupported("a Canon raw image");
    return unsupported("an MP4 video or another ISO media file");
}

Sniffed by_text(std::string_view head) {
    if (head.starts_with("\xef\xbb\xbf")) head.remove_prefix(3);
    while (!head.empty() && " \t\r\n"sv.find(head.front()) != std::string_view::npos) head.remove_prefix(1);
    const std::string lower = lower_case(head);
    if (lower.find("<svg") != std::string::npos) return unsupported("an SVG drawing");
    if (lower.starts_with("<!doctype html") || lower.starts_with("<html")) return unsupported("an HTML page");
    if (lower.starts_with("<?xml") || lower.starts_with("<!")) return unsupported("an SVG drawing or other XML");
    return unsupported("an unknown type of file");
}

}  // namespace

Sniffed sniff(std::span<const std::uint8_t> bytes, bool complete) {
    const std::string_view head(reinterpret_cast<const char*>(bytes.data()), std::min(bytes.size(), sniff_length));
    const bool all_there = complete || bytes.size() >= sniff_length;

    if (head.starts_with("\xff\xd8\xff")) return image(ImageFormat::jpeg);
    if (head.starts_with("\x89PNG\r\n\x1a\n")) return image(ImageFormat::png);
    if (head.starts_with("GIF87a") || head.starts_with("GIF89a")) return image(ImageFormat::gif);
    if (head.starts_with("\xff\x0a")) return image(ImageFormat::jxl);
    if (head.starts_with("\0\0\0\x0cJXL \r\n\x87\n"sv)) return image(ImageFormat::jxl);
    if (head.starts_with("RIFF") && has_at(head, 8, "WEBPVP8")) return image(ImageFormat::webp);
    if (has_at(head, 4, "ftyp")) return by_brands(head, all_there);

    if (!all_there) return {};
    if (head.empty()) return unsupported("an empty file");
    for (const Magic& magic : named_others) {
        if (has_at(head, magic.offset, magic.bytes)) return unsupported(magic.what);
    }
    return by_text(head);
}

Error unsupported_image(const Sniffed& sniffed) {
    return {ErrorCode::unsupported_media_type,
            "unsupported image type: the file is " + std::string(sniffed.what) +
                "; jpeg, png, webp, gif, avif, heif and jxl are supported",
            {}};
}

}  // namespace tessera
