#include "imaging/save/kept/exif.hpp"

#include <algorithm>
#include <optional>

namespace tessera::imaging {
namespace {

constexpr std::size_t header_size = 8;
constexpr std::size_t entry_size = 12;

enum Tag : std::uint32_t {
    image_width = 0x0100,
    image_length = 0x0101,
    orientation = 0x0112,
    thumbnail_offset = 0x0201,
    thumbnail_length = 0x0202,
    exif_directory = 0x8769,
    colour_space = 0xA001,
    pixel_x_dimension = 0xA002,
    pixel_y_dimension = 0xA003,
};
constexpr std::uint32_t short_type = 3;
constexpr std::uint32_t long_type = 4;

// A TIFF structure that is changed in place. Offsets that lead outside are zeros when read, and not written.
class Tiff {
  public:
    explicit Tiff(std::string_view bytes) : bytes_(bytes), little_(bytes.starts_with("II")) {}

    [[nodiscard]] bool usable() const {
        return bytes_.size() >= header_size && (little_ || bytes_.starts_with("MM")) && number(2, 2) == 42;
    }
    [[nodiscard]] std::size_t first_directory() const { return number(4, 4); }

    [[nodiscard]] std::optional<std::size_t> find(std::size_t directory, std::uint32_t tag) const {
        if (directory < header_size) return std::nullopt;
        for (std::size_t i = 0; i < number(directory, 2); ++i) {
            const std::size_t entry = directory + 2 + i * entry_size;
            if (entry + entry_size > bytes_.size()) return std::nullopt;
            if (number(entry, 2) == tag) return entry;
        }
        return std::nullopt;
    }
    [[nodiscard]] std::uint32_t value(std::size_t directory, std::uint32_t tag) const {
        const auto entry = find(directory, tag);
        if (!entry || number(*entry + 4, 4) != 1) return 0;
        return number(*entry + 8, number(*entry + 2, 2) == short_type ? 2 : 4);
    }
    // Where the tag is there.
    void set(std::size_t directory, std::uint32_t tag, std::uint32_t value) {
        const auto entry = find(directory, tag);
        if (!entry) return;
        const bool is_short = number(*entry + 2, 2) == short_type && value <= 0xFFFF;
        put(*entry + 2, 2, is_short ? short_type : long_type);
        put(*entry + 4, 4, 1);
        put(*entry + 8, 4, 0);
        put(*entry + 8, is_short ? 2 : 4, value);
    }

    // The directory of the small picture is no longer led to, and its pixels are gone.
    void drop_thumbnail() {
        const std::size_t next = first_directory() + 2 + number(first_directory(), 2) * entry_size;
        const std::size_t directory = number(next, 4);
        if (directory == 0) return;
        put(next, 4, 0);
        const std::size_t from = value(directory, thumbnail_offset);
        const std::size_t length = value(directory, thumbnail_length);
        if (from < header_size || from >= bytes_.size() || length == 0) return;
        const std::size_t end = std::min(bytes_.size(), from + length);
        std::fill(bytes_.begin() + static_cast<std::ptrdiff_t>(from), bytes_.begin() + static_cast<std::ptrdiff_t>(end),
                  '\0');
        if (end == bytes_.size()) bytes_.resize(from);
    }

    [[nodiscard]] std::string take() { return std::move(bytes_); }

  private:
    [[nodiscard]] std::uint32_t number(std::size_t at, std::size_t size) const {
        std::uint32_t value = 0;
        if (at > bytes_.size() || size > bytes_.size() - at) return 0;
        for (std::size_t i = 0; i < size; ++i) {
            value = value << 8 | static_cast<std::uint8_t>(bytes_[at + (little_ ? size - 1 - i : i)]);
        }
        return value;
    }
    void put(std::size_t at, std::size_t size, std::uint32_t value) {
        if (at > bytes_.size() || size > bytes_.size() - at) return;
        for (std::size_t i = 0; i < size; ++i, value >>= 8) {
            bytes_[at + (little_ ? i : size - 1 - i)] = static_cast<char>(value & 255);
        }
    }

    std::string bytes_;
    bool little_;
};

}  // namespace

std::string exif_of(std::string_view exif, const PictureFacts& facts) {
    constexpr std::string_view prefix("Exif\0\0", 6);
    if (exif.starts_with(prefix)) exif.remove_prefix(prefix.size());
    Tiff tiff(exif);
    if (!tiff.usable()) return {};
    const std::size_t picture = tiff.first_directory();
    const std::size_t details = tiff.value(picture, exif_directory);
    tiff.set(picture, orientation, 1);
    tiff.set(picture, image_width, facts.width);
    tiff.set(picture, image_length, facts.height);
    tiff.set(details, pixel_x_dimension, facts.width);
    tiff.set(details, pixel_y_dimension, facts.height);
    if (facts.srgb) tiff.set(details, colour_space, 1);
    tiff.drop_thumbnail();
    return tiff.take();
}

}  // namespace tessera::imaging
