// Coded data in memory: in a file a zero is stuffed in after each byte of ones, so that none looks like a marker.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "codecs/bits/bit_reader.hpp"

namespace tessera::codecs {

// Coded data up to the first marker, without the zeros; bit_slack bytes follow it. `end` is where it ended in `bytes`.
std::vector<std::uint8_t> unstuffed(std::span<const std::uint8_t> bytes, std::size_t& end);
void append_stuffed(std::vector<std::uint8_t>& out, std::span<const std::uint8_t> coded);

// For a BitReader of what unstuffed() made.
class UnstuffedBits final : public BitSource {
  public:
    explicit UnstuffedBits(std::span<const std::uint8_t> coded) : coded_(coded) {}
    Window more(Window left) override;

  private:
    std::span<const std::uint8_t> coded_;
    bool begun_ = false;
    std::vector<std::uint8_t> rest_;
};

}  // namespace tessera::codecs
