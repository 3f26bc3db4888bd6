// Takes metadata out of an image file without touching its pixels. What changes how the picture looks stays: colour
// profiles, the orientation (alone, without the rest of EXIF). Of an animation the first frame stays.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "core/image_format.hpp"

namespace tessera::codecs {

// The stripped file, in pieces of the original and bytes of our own.
class Pieces {
  public:
    void keep(std::span<const std::uint8_t> part);  // of the original, which must outlive this
    void add(std::string bytes);
    [[nodiscard]] std::int64_t size() const { return size_; }
    // Calls `write` with each piece until it returns false; says whether all were written.
    template <typename Write>
    bool write_to(Write&& write) const {
        for (const auto& piece : pieces_) {
            const auto* own = std::get_if<std::string>(&piece);
            const std::span<const std::uint8_t> bytes =
                own == nullptr ? std::get<0>(piece)
                               : std::span(reinterpret_cast<const std::uint8_t*>(own->data()), own->size());
            if (!write(bytes)) return false;
        }
        return true;
    }

  private:
    std::vector<std::variant<std::span<const std::uint8_t>, std::string>> pieces_;
    std::int64_t size_ = 0;
};

// `orientation` is what EXIF says, 1 to 8. Nothing where the file's structure is not what the format promises.
std::optional<Pieces> strip(ImageFormat format, std::span<const std::uint8_t> file, int orientation);

}  // namespace tessera::codecs
