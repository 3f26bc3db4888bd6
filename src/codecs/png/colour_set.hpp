// The distinct colours of a picture, while a palette has room for them.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "codecs/png/pixels.hpp"

namespace tessera::codecs {

class ColourSet {
  public:
    // The colour's number, in the order in which they were seen. Nothing when it would be one too many.
    std::optional<std::uint8_t> number_of(std::uint32_t colour) {
        for (std::size_t slot = (colour * 0x9E3779B1U) >> 22;; slot = (slot + 1) % slots) {
            if (!used_[slot]) {
                if (colours_.size() == most_png_colours) return std::nullopt;
                used_[slot] = true;
                keys_[slot] = colour;
                numbers_[slot] = static_cast<std::uint8_t>(colours_.size());
                colours_.push_back(colour);
                return numbers_[slot];
            }
            if (keys_[slot] == colour) return numbers_[slot];
        }
    }
    [[nodiscard]] const std::vector<std::uint32_t>& colours() const { return colours_; }

  private:
    static constexpr std::size_t slots = 1024;
    std::array<bool, slots> used_{};
    std::array<std::uint32_t, slots> keys_;
    std::array<std::uint8_t, slots> numbers_;
    std::vector<std::uint32_t> colours_;
};

}  // namespace tessera::codecs
