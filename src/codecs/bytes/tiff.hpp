// The directories of a TIFF structure, such as EXIF is. Nothing is believed: offsets that lead outside are zeros when
// read, and so are values that do not lie in their entry.
#pragma once

#include <cstdint>
#include <optional>

#include "codecs/bytes/file_bytes.hpp"

namespace tessera::codecs {

enum TiffType : std::uint32_t {
    tiff_byte = 1,
    tiff_short = 3,
    tiff_long = 4,
    tiff_signed_byte = 6,
    tiff_signed_short = 8,
    tiff_signed_long = 9,
};

class Tiff {
  public:
    static constexpr std::size_t header_size = 8;
    static constexpr std::size_t entry_size = 12;

    explicit Tiff(FileBytes bytes) : bytes_(bytes), little_(text_of(bytes).starts_with("II")) {}

    [[nodiscard]] bool usable() const {
        return bytes_.size() >= header_size && (little_ || text_of(bytes_).starts_with("MM")) && number(2, 2) == 42;
    }
    [[nodiscard]] bool is_little_endian() const { return little_; }
    [[nodiscard]] std::size_t first_directory() const { return number(4, 4); }

    // Where the entry of this tag is.
    [[nodiscard]] std::optional<std::size_t> find(std::size_t directory, std::uint32_t tag) const {
        if (directory < header_size) return std::nullopt;
        for (std::size_t i = 0; i < number(directory, 2); ++i) {
            const std::size_t entry = directory + 2 + i * entry_size;
            if (entry + entry_size > bytes_.size()) return std::nullopt;
            if (number(entry, 2) == tag) return entry;
        }
        return std::nullopt;
    }
    // The first one, where the tag has several. Numbers with a sign are read without: none that we ask for is below 0.
    [[nodiscard]] std::uint32_t value(std::size_t directory, std::uint32_t tag) const {
        const auto entry = find(directory, tag);
        if (!entry) return 0;
        const std::uint32_t count = number(*entry + 4, 4);
        const std::size_t size = size_of_type(number(*entry + 2, 2));
        return size == 0 || count == 0 || count > 4 / size ? 0 : number(*entry + 8, size);
    }
    [[nodiscard]] std::uint32_t number(std::size_t at, std::size_t size) const {
        std::uint32_t value = 0;
        if (at > bytes_.size() || size > bytes_.size() - at) return 0;
        for (std::size_t i = 0; i < size; ++i) value = value << 8 | bytes_[at + (little_ ? size - 1 - i : i)];
        return value;
    }

  private:
    static std::size_t size_of_type(std::uint32_t type) {
        switch (type) {
            case tiff_byte:
            case tiff_signed_byte: return 1;
            case tiff_short:
            case tiff_signed_short: return 2;
            case tiff_long:
            case tiff_signed_long: return 4;
            default: return 0;
        }
    }

    FileBytes bytes_;
    bool little_;
};

}  // namespace tessera::codecs
