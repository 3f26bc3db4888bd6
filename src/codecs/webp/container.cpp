#include "codecs/webp/container.hpp"

#include <webp/decode.h>

#include <algorithm>

namespace tessera::codecs {
namespace {

constexpr std::size_t riff_header = 12;
constexpr std::size_t chunk_header = 8;
constexpr std::size_t frame_header = 16;  // of ANMF: offset, size, duration, flags

// Calls `visit(type, data, whole)` for each chunk, header included, until it returns false. The last may be cut.
template <typename Visit>
void for_each_chunk(FileBytes bytes, Visit&& visit) {
    for (std::size_t at = 0; bytes.size() - at > chunk_header;) {
        const std::size_t declared = read_little32(bytes, at + 4);
        const std::size_t size = std::min(declared, bytes.size() - at - chunk_header);
        const FileBytes whole = bytes.subspan(at, chunk_header + size);
        if (!visit(text_of(whole.first(4)), whole.subspan(chunk_header), whole)) return;
        at += std::min(chunk_header + size + (size & 1), bytes.size() - at);
    }
}

bool is_bitstream(std::string_view type) {
    return type == "VP8 " || type == "VP8L";
}

// From the alpha, where there is some before it, to the end of the picture.
struct Finder {
    const std::uint8_t* alpha = nullptr;
    bool found = false;

    void look(WebpContainer& container, std::string_view type, FileBytes whole) {
        if (found) return;
        if (type == "ALPH") alpha = whole.data();
        if (!is_bitstream(type)) return;
        const bool with_alpha = alpha != nullptr && type == "VP8 ";
        container.picture = {with_alpha ? alpha : whole.data(), whole.data() + whole.size()};
        container.lossy = type == "VP8 ";
        found = true;
    }
};

bool take_frame(WebpContainer& container, FileBytes frame) {
    if (frame.size() <= frame_header) return false;
    container.left = static_cast<int>(read_little24(frame, 0) * 2);
    container.top = static_cast<int>(read_little24(frame, 3) * 2);
    container.frame_width = static_cast<int>(read_little24(frame, 6) + 1);
    container.frame_height = static_cast<int>(read_little24(frame, 9) + 1);
    Finder finder;
    for_each_chunk(frame.subspan(frame_header), [&](std::string_view type, FileBytes /*data*/, FileBytes whole) {
        finder.look(container, type, whole);
        return !finder.found;
    });
    return finder.found;
}

// What the decoder says of the picture's size must be what the container says.
bool sizes_agree(WebpContainer& container, bool extended) {
    int width = 0;
    int height = 0;
    if (WebPGetInfo(container.picture.data(), container.picture.size(), &width, &height) == 0) return false;
    if (!extended) {
        container.width = width;
        container.height = height;
    }
    if (container.frames == 0) {
        container.frames = 1;
        container.frame_width = container.width;
        container.frame_height = container.height;
    }
    return container.frame_width == width && container.frame_height == height &&
           container.left + width <= container.width && container.top + height <= container.height;
}

}  // namespace

std::optional<WebpContainer> read_webp_container(FileBytes file) {
    if (file.size() <= riff_header || text_of(file.first(4)) != "RIFF") return std::nullopt;
    // Bytes after the container are another matter's; a container that is cut has what it has.
    file = file.first(std::min<std::size_t>(file.size(), chunk_header + std::size_t{read_little32(file, 4)}));
    if (file.size() <= riff_header) return std::nullopt;
    WebpContainer container;
    container.frames = 0;
    bool extended = false;
    bool animated = false;
    Finder still;
    for_each_chunk(file.subspan(riff_header), [&](std::string_view type, FileBytes data, FileBytes whole) {
        if (type == "VP8X" && data.size() >= 10 && !extended) {
            extended = true;
            animated = (data[0] & 0x02) != 0;
            container.width = static_cast<int>(read_little24(data, 4) + 1);
            container.height = static_cast<int>(read_little24(data, 7) + 1);
        } else if (type == "ANMF" && animated) {
            if (container.frames == 0 && !take_frame(container, data)) return false;
            ++container.frames;
        } else if (!animated) {
            still.look(container, type, whole);
        }
        if (type == "ICCP" && extended) container.metadata.icc = data;
        if (type == "EXIF" && extended) container.metadata.exif = data;
        if (type == "XMP " && extended) container.metadata.xmp = data;
        return extended || !still.found;
    });
    if (container.picture.empty() || !sizes_agree(container, extended)) return std::nullopt;
    return container;
}

}  // namespace tessera::codecs
