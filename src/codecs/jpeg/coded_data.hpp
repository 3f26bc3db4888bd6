// The coded data of a scan, as a BitReader takes it from a file.
#pragma once

#include <vector>

#include "codecs/bits/bit_reader.hpp"
#include "codecs/jpeg/input.hpp"

namespace tessera::codecs {

// Up to a marker, and zeros from there on.
class CodedData final : public BitSource {
  public:
    explicit CodedData(JpegInput& input);
    Window more(Window left) override;

  private:
    JpegInput* input_;
    std::vector<std::uint8_t> buffer_;
};

}  // namespace tessera::codecs
