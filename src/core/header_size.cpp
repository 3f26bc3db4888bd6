#include "core/header_size.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <span>
#include <string_view>

#include "core/file.hpp"

namespace tessera {
namespace {

using View = std::span<const std::uint8_t>;

constexpr std::size_t first_read = 4096;  // has all that is wanted of most files
constexpr int most_parts = 4096;          // segments or boxes
constexpr std::uint64_t largest_box = 1 << 20;

std::uint32_t big_endian(View bytes) {
    std::uint32_t value = 0;
    for (const std::uint8_t byte : bytes) value = value << 8 | byte;
    return value;
}

std::uint32_t little_endian(View bytes) {
    std::uint32_t value = 0;
    for (std::size_t i = bytes.size(); i-- > 0;) value = value << 8 | bytes[i];
    return value;
}

bool is_text(View bytes, std::string_view text) {
    return bytes.size() == text.size() && std::memcmp(bytes.data(), text.data(), text.size()) == 0;
}

// The file's bytes, of which the first are read at once.
class Bytes {
  public:
    Bytes(int file, std::uint64_t size) : file_(file), size_(size) {
        const auto head = std::span(head_).first(std::min<std::uint64_t>(size, first_read));
        if (read_exactly_at(file, 0, head)) have_ = head.size();
    }
    [[nodiscard]] std::uint64_t size() const { return size_; }
    // Nothing where the file has fewer. Good until the next call.
    std::optional<View> at(std::uint64_t offset, std::size_t count) {
        if (offset > size_ || count > size_ - offset) return std::nullopt;
        if (offset + count <= have_) return View(head_).subspan(offset, count);
        later_.resize(count);
        if (!read_exactly_at(file_, offset, later_)) return std::nullopt;
        return View(later_);
    }

  private:
    int file_;
    std::uint64_t size_;
    std::array<std::uint8_t, first_read> head_{};
    std::size_t have_ = 0;
    std::vector<std::uint8_t> later_;
};

using Size = std::optional<HeaderSize>;

Size png_size(Bytes& file) {
    const auto head = file.at(0, 24);
    if (!head || !is_text(head->subspan(12, 4), "IHDR")) return std::nullopt;
    return HeaderSize{big_endian(head->subspan(16, 4)), big_endian(head->subspan(20, 4))};
}

Size gif_size(Bytes& file) {
    const auto head = file.at(0, 10);
    if (!head || !is_text(head->first(3), "GIF")) return std::nullopt;
    return HeaderSize{little_endian(head->subspan(6, 2)), little_endian(head->subspan(8, 2))};
}

Size jpeg_size(Bytes& file) {
    std::uint64_t at = 2;
    for (int part = 0; part < most_parts; ++part) {
        const auto head = file.at(at, 4);
        if (!head || (*head)[0] != 0xff) return std::nullopt;
        const std::uint8_t marker = (*head)[1];
        if (marker == 0xff) {  // filling
            ++at;
            continue;
        }
        const bool is_frame = marker >= 0xc0 && marker <= 0xcf && marker != 0xc4 && marker != 0xc8 && marker != 0xcc;
        if (is_frame) {
            const auto frame = file.at(at + 5, 4);
            if (!frame) return std::nullopt;
            return HeaderSize{big_endian(frame->subspan(2, 2)), big_endian(frame->first(2))};
        }
        const std::uint32_t length = big_endian(head->subspan(2, 2));
        if (marker == 0xda || length < 2) return std::nullopt;
        at += 2 + length;
    }
    return std::nullopt;
}

Size webp_size(Bytes& file) {
    const auto head = file.at(0, 30);
    if (!head || !is_text(head->first(4), "RIFF") || !is_text(head->subspan(8, 4), "WEBP")) return std::nullopt;
    const View kind = head->subspan(12, 4);
    if (is_text(kind, "VP8X")) {
        return HeaderSize{little_endian(head->subspan(24, 3)) + std::int64_t{1},
                          little_endian(head->subspan(27, 3)) + std::int64_t{1}};
    }
    if (is_text(kind, "VP8L")) {
        const std::uint32_t bits = little_endian(head->subspan(21, 4));
        return HeaderSize{(bits & 0x3fff) + std::int64_t{1}, (bits >> 14 & 0x3fff) + std::int64_t{1}};
    }
    if (!is_text(kind, "VP8 ")) return std::nullopt;
    return HeaderSize{little_endian(head->subspan(26, 2)) & 0x3fff, little_endian(head->subspan(28, 2)) & 0x3fff};
}

// Bits of a JPEG XL codestream, the lowest of each byte first.
class BitReader {
  public:
    explicit BitReader(View bytes) : bytes_(bytes) {}
    std::uint32_t bits(unsigned count) {
        std::uint32_t value = 0;
        for (unsigned i = 0; i < count; ++i, ++at_) {
            if (at_ / 8 < bytes_.size()) value |= (std::uint32_t{bytes_[at_ / 8]} >> (at_ % 8) & 1U) << i;
        }
        return value;
    }

  private:
    View bytes_;
    std::size_t at_ = 0;
};

Size codestream_size(View stream) {
    if (stream.size() < 12 || stream[0] != 0xff || stream[1] != 0x0a) return std::nullopt;
    BitReader reader(stream.subspan(2));
    const bool small = reader.bits(1) == 1;
    const auto edge = [&]() -> std::int64_t {
        constexpr unsigned widths[] = {9, 13, 18, 30};
        return small ? (reader.bits(5) + std::int64_t{1}) * 8 : reader.bits(widths[reader.bits(2)]) + std::int64_t{1};
    };
    const std::int64_t height = edge();
    constexpr std::int64_t ratios[][2] = {{0, 1}, {1, 1}, {12, 10}, {4, 3}, {3, 2}, {16, 9}, {5, 4}, {2, 1}};
    const auto& ratio = ratios[reader.bits(3)];
    return HeaderSize{ratio[0] == 0 ? edge() : height * ratio[0] / ratio[1], height};
}

struct Box {
    std::uint64_t content = 0;
    std::uint64_t end = 0;
    std::array<char, 4> kind{};
    [[nodiscard]] bool is(std::string_view name) const { return std::string_view(kind.data(), 4) == name; }
};

// The box at an offset, which ends at `end` at the latest.
std::optional<Box> box_at(Bytes& file, std::uint64_t at, std::uint64_t end) {
    const auto head = file.at(at, 8);
    if (!head || at + 8 > end) return std::nullopt;
    Box box;
    std::memcpy(box.kind.data(), head->data() + 4, 4);
    std::uint64_t length = big_endian(head->first(4));
    box.content = at + 8;
    if (length == 1) {
        const auto large = file.at(at + 8, 8);
        if (!large) return std::nullopt;
        length = std::uint64_t{big_endian(large->first(4))} << 32 | big_endian(large->subspan(4));
        box.content = at + 16;
    }
    if (length == 0) length = end - at;
    if (length < box.content - at || length > end - at) return std::nullopt;
    box.end = at + length;
    return box;
}

// The first box of a kind between two offsets.
std::optional<Box> find_box(Bytes& file, std::uint64_t at, std::uint64_t end, std::string_view kind) {
    for (int part = 0; part < most_parts && at < end; ++part) {
        const auto box = box_at(file, at, end);
        if (!box || box->is(kind)) return box;
        at = box->end;
    }
    return std::nullopt;
}

Size jxl_size(Bytes& file) {
    const auto head = file.at(0, std::min<std::uint64_t>(file.size(), 32));
    if (head && head->size() >= 2 && (*head)[0] == 0xff) return codestream_size(*head);
    for (const std::string_view kind : {"jxlc", "jxlp"}) {
        const auto box = find_box(file, 0, file.size(), kind);
        if (!box) continue;
        const std::uint64_t start = box->content + (kind == "jxlp" ? 4 : 0);
        if (start >= box->end) return std::nullopt;
        const auto stream = file.at(start, std::min<std::uint64_t>(box->end - start, 32));
        return stream ? codestream_size(*stream) : std::nullopt;
    }
    return std::nullopt;
}

// Of every picture in the file: which of them is shown would need more of its structure.
std::vector<HeaderSize> heif_sizes(Bytes& file) {
    std::vector<HeaderSize> sizes;
    const auto meta = find_box(file, 0, file.size(), "meta");
    if (!meta || meta->end - meta->content > largest_box) return sizes;
    const auto properties = find_box(file, meta->content + 4, meta->end, "iprp");
    const auto list = properties ? find_box(file, properties->content, properties->end, "ipco") : std::nullopt;
    if (!list) return sizes;
    std::uint64_t at = list->content;
    for (int part = 0; part < most_parts && at < list->end; ++part) {
        const auto box = box_at(file, at, list->end);
        if (!box) break;
        if (box->is("ispe") && box->end - box->content >= 12) {
            const auto size = file.at(box->content + 4, 8);
            if (!size) break;
            sizes.push_back({big_endian(size->first(4)), big_endian(size->subspan(4))});
        }
        at = box->end;
    }
    return sizes;
}

Size one_size(Bytes& file, ImageFormat format) {
    switch (format) {
        case ImageFormat::png: return png_size(file);
        case ImageFormat::jpeg: return jpeg_size(file);
        case ImageFormat::webp: return webp_size(file);
        case ImageFormat::gif: return gif_size(file);
        case ImageFormat::jxl: return jxl_size(file);
        default: return std::nullopt;
    }
}

}  // namespace

std::vector<HeaderSize> header_sizes(int fd, std::uint64_t file_size, ImageFormat format) {
    Bytes file(fd, file_size);
    if (format == ImageFormat::avif || format == ImageFormat::heif) return heif_sizes(file);
    const Size size = one_size(file, format);
    return size ? std::vector{*size} : std::vector<HeaderSize>();
}

}  // namespace tessera
