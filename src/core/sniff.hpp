// What a file is, by its first bytes and nothing else: no name and no declared type is believed. Parses magic numbers
// only, so it is safe outside the engine; whether the rest of the file keeps the promise is for the probe to say.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "core/image_format.hpp"
#include "core/result.hpp"

namespace tessera {

// No decision needs more than this much of the file.
inline constexpr std::size_t sniff_length = 64;

struct Sniffed {
    enum class Kind { need_more, image, unsupported };
    Kind kind = Kind::need_more;
    std::optional<ImageFormat> format;  // of an image
    std::string_view what;              // of something unsupported: "a TIFF image", "an unknown type of file"
};

// `head` is the start of the file; `complete` says that the file ends with it. With sniff_length bytes or a complete
// file the answer is never need_more.
Sniffed sniff(std::span<const std::uint8_t> head, bool complete);

// The 415 for something unsupported.
Error unsupported_image(const Sniffed& sniffed);

}  // namespace tessera
