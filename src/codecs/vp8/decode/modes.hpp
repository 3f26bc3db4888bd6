// Section 11 of RFC 6386: how macroblocks are predicted.
#pragma once

#include <cstdint>
#include <span>

#include "codecs/vp8/decode/frame_header.hpp"
#include "codecs/vp8/frame.hpp"

namespace tessera::codecs::vp8 {

struct CodedModes {
    Modes modes;
    std::uint8_t segment = 0;
};

// Of a row of macroblocks. `above` has four modes of each of them, from the row before, and has those of this row
// after. False where they end early.
bool read_modes(FrameHeader& header, std::span<std::uint8_t> above, std::span<CodedModes> row);

}  // namespace tessera::codecs::vp8
