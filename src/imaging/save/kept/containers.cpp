// Where each format has its metadata.
#include <webp/decode.h>

#include <algorithm>
#include <string_view>

#include "codecs/bytes/file_bytes.hpp"
#include "codecs/png/encoder.hpp"
#include "imaging/save/kept/metadata.hpp"

namespace tessera::imaging {
namespace {

using namespace std::string_literals;
using namespace std::string_view_literals;

std::string big(std::size_t value, unsigned bytes) {
    std::string out;
    for (unsigned i = bytes; i-- > 0;) out += static_cast<char>(value >> (8 * i) & 255);
    return out;
}
std::string little(std::size_t value, unsigned bytes) {
    std::string out;
    for (unsigned i = 0; i < bytes; ++i) out += static_cast<char>(value >> (8 * i) & 255);
    return out;
}

// As ImageMagick writes data that PNG has no chunk for, and others read it: a text of hexadecimal digits.
std::string raw_profile(std::string_view name, std::string_view data) {
    constexpr std::size_t bytes_a_line = 36;
    constexpr std::string_view digits = "0123456789abcdef";
    std::string text = "Raw profile type " + std::string(name) + '\0';
    text += "\n" + std::string(name) + "\n" + std::to_string(data.size());
    for (std::size_t i = 0; i < data.size(); ++i) {
        if (i % bytes_a_line == 0) text += '\n';
        const auto byte = static_cast<std::uint8_t>(data[i]);
        text += digits[byte >> 4];
        text += digits[byte & 15];
    }
    return codecs::png_chunk("tEXt", text + "\n");
}

constexpr std::string_view photoshop("Photoshop 3.0\0", 14);

// One segment; nothing where it would be too long.
std::string segment(int marker, std::string_view head, std::string_view data) {
    constexpr std::size_t longest = 0xFFFF - 2;
    const std::size_t size = head.size() + data.size();
    if (data.empty() || size > longest) return {};
    return "\xFF"s + static_cast<char>(marker) + big(size + 2, 2) + std::string(head) + std::string(data);
}

std::string profile_segments(std::string_view profile) {
    constexpr std::size_t most = 65'519;
    std::string out;
    const std::size_t count = (profile.size() + most - 1) / most;
    if (count > 255) return {};
    for (std::size_t i = 0; i < count; ++i) {
        const std::string head = "ICC_PROFILE\0"s + static_cast<char>(i + 1) + static_cast<char>(count);
        out += segment(0xE2, head, profile.substr(i * most, most));
    }
    return out;
}

std::string riff_chunk(std::string_view type, std::string_view data) {
    if (data.empty()) return {};
    std::string chunk = std::string(type) + little(data.size(), 4) + std::string(data);
    if (data.size() % 2 != 0) chunk += '\0';
    return chunk;
}

std::string box(std::string_view type, std::string_view data) {
    return big(data.size() + 8, 4) + std::string(type) + std::string(data);
}

}  // namespace

std::string png_metadata(const Metadata& metadata) {
    std::string chunks;
    if (!metadata.profile.empty()) chunks += codecs::png_profile_chunk(metadata.profile);
    if (!metadata.exif.empty()) chunks += codecs::png_chunk("eXIf", metadata.exif);
    if (!metadata.xmp.empty()) chunks += codecs::png_chunk("iTXt", "XML:com.adobe.xmp\0\0\0\0\0"s + metadata.xmp);
    if (metadata.iptc.starts_with(photoshop)) {
        chunks += raw_profile("iptc", std::string_view(metadata.iptc).substr(photoshop.size()));
    }
    return chunks;
}

// Behind JFIF, where there is one, and before everything else.
std::int64_t place_in_jpeg(codecs::FileBytes start) {
    const bool jfif = start.size() > 5 && start[2] == 0xFF && start[3] == 0xE0;
    return jfif ? 4 + start[4] * 256 + start[5] : 2;
}

std::string jpeg_metadata(const Metadata& metadata) {
    return segment(0xE1, "Exif\0\0"sv, metadata.exif) +
           segment(0xE1, "http://ns.adobe.com/xap/1.0/\0"sv, metadata.xmp) +
           (metadata.iptc.starts_with(photoshop) ? segment(0xED, {}, metadata.iptc) : std::string()) +
           profile_segments(metadata.profile);
}

codecs::Pieces webp_with(codecs::FileBytes file, const Metadata& metadata) {
    constexpr std::size_t riff_header = 12;
    codecs::Pieces pieces;
    WebPBitstreamFeatures features;
    const bool read = WebPGetFeatures(file.data(), file.size(), &features) == VP8_STATUS_OK;
    if (!read || (metadata.profile.empty() && metadata.exif.empty() && metadata.xmp.empty())) {
        pieces.keep(file);
        return pieces;
    }
    codecs::FileBytes picture = file.subspan(riff_header);
    // An extended file starts with a header of its own, for which this one stands.
    if (picture.size() >= 18 && picture[3] == 'X') picture = picture.subspan(18);
    const int flags = (metadata.profile.empty() ? 0 : 0x20) | (features.has_alpha != 0 ? 0x10 : 0) |
                      (metadata.exif.empty() ? 0 : 0x08) | (metadata.xmp.empty() ? 0 : 0x04);
    const std::string front = riff_chunk("VP8X", little(static_cast<std::size_t>(flags), 4) +
                                                     little(static_cast<std::size_t>(features.width - 1), 3) +
                                                     little(static_cast<std::size_t>(features.height - 1), 3)) +
                              riff_chunk("ICCP", metadata.profile);
    const std::string back = riff_chunk("EXIF", metadata.exif) + riff_chunk("XMP ", metadata.xmp);
    pieces.add("RIFF" + little(4 + front.size() + picture.size() + back.size(), 4) + "WEBP" + front);
    pieces.keep(picture);
    pieces.add(back);
    return pieces;
}

codecs::Pieces jxl_with(codecs::FileBytes file, const Metadata& metadata) {
    const bool bare = file.size() > 2 && file[0] == 0xFF && file[1] == 0x0A;
    const bool nothing = metadata.exif.empty() && metadata.xmp.empty();
    codecs::Pieces pieces;
    if (bare && !nothing) {
        std::string front = box("JXL ", "\r\n\x87\n") + box("ftyp", "jxl \0\0\0\0jxl "sv);
        if (!metadata.exif.empty()) front += box("Exif", "\0\0\0\0"s + metadata.exif);
        if (!metadata.xmp.empty()) front += box("xml ", metadata.xmp);
        pieces.add(front + big(0, 4) + "jxlc");  // of size 0: up to the end of the file
    }
    pieces.keep(file);
    return pieces;
}

}  // namespace tessera::imaging
