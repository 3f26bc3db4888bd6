#include "imaging/save/kept/exif.hpp"

#include <algorithm>

#include "codecs/bytes/orientation_exif.hpp"
#include "codecs/bytes/tiff.hpp"

namespace tessera::imaging {
namespace {

enum Tag : std::uint32_t {
    image_width = 0x0100,
    image_length = 0x0101,
    thumbnail_offset = 0x0201,
    thumbnail_length = 0x0202,
    exif_directory = 0x8769,
    colour_space = 0xA001,
    pixel_x_dimension = 0xA002,
    pixel_y_dimension = 0xA003,
};

// A TIFF structure that is changed in place. What leads outside is not written.
class ChangedTiff {
  public:
    explicit ChangedTiff(std::string_view bytes) : bytes_(bytes) {}

    [[nodiscard]] codecs::Tiff read() const {
        return codecs::Tiff({reinterpret_cast<const std::uint8_t*>(bytes_.data()), bytes_.size()});
    }

    // Where the tag is there.
    void set(std::size_t directory, std::uint32_t tag, std::uint32_t value) {
        const auto entry = read().find(directory, tag);
        if (!entry) return;
        const bool is_short = read().number(*entry + 2, 2) == codecs::tiff_short && value <= 0xFFFF;
        put(*entry + 2, 2, is_short ? codecs::tiff_short : codecs::tiff_long);
        put(*entry + 4, 4, 1);
        put(*entry + 8, 4, 0);
        put(*entry + 8, is_short ? 2 : 4, value);
    }

    // The directory of the small picture is no longer led to, and its pixels are gone.
    void drop_thumbnail() {
        const codecs::Tiff tiff = read();
        const std::size_t first = tiff.first_directory();
        const std::size_t next = first + 2 + tiff.number(first, 2) * codecs::Tiff::entry_size;
        const std::size_t directory = tiff.number(next, 4);
        if (directory == 0) return;
        const std::size_t from = tiff.value(directory, thumbnail_offset);
        const std::size_t length = tiff.value(directory, thumbnail_length);
        put(next, 4, 0);
        if (from < codecs::Tiff::header_size || from >= bytes_.size() || length == 0) return;
        const std::size_t end = std::min(bytes_.size(), from + length);
        std::fill(bytes_.begin() + static_cast<std::ptrdiff_t>(from), bytes_.begin() + static_cast<std::ptrdiff_t>(end),
                  '\0');
        if (end == bytes_.size()) bytes_.resize(from);
    }

    [[nodiscard]] std::string take() { return std::move(bytes_); }

  private:
    void put(std::size_t at, std::size_t size, std::uint32_t value) {
        if (at > bytes_.size() || size > bytes_.size() - at) return;
        const bool little = read().is_little_endian();
        for (std::size_t i = 0; i < size; ++i, value >>= 8) {
            bytes_[at + (little ? i : size - 1 - i)] = static_cast<char>(value & 255);
        }
    }

    std::string bytes_;
};

}  // namespace

std::string exif_of(std::string_view exif, const PictureFacts& facts) {
    ChangedTiff tiff(codecs::without_mark(exif));
    if (!tiff.read().usable()) return {};
    const std::size_t picture = tiff.read().first_directory();
    const std::size_t details = tiff.read().value(picture, exif_directory);
    tiff.set(picture, codecs::exif_orientation_tag, 1);
    tiff.set(picture, image_width, facts.width);
    tiff.set(picture, image_length, facts.height);
    tiff.set(details, pixel_x_dimension, facts.width);
    tiff.set(details, pixel_y_dimension, facts.height);
    if (facts.srgb) tiff.set(details, colour_space, 1);
    tiff.drop_thumbnail();
    return tiff.take();
}

}  // namespace tessera::imaging
