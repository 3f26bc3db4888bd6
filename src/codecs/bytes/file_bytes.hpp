// The bytes of a file, and the numbers in them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace tessera::codecs {

using FileBytes = std::span<const std::uint8_t>;

inline std::uint32_t read_big16(FileBytes bytes, std::size_t at) {
    return static_cast<std::uint32_t>(bytes[at] << 8 | bytes[at + 1]);
}
inline std::uint32_t read_big32(FileBytes bytes, std::size_t at) {
    return read_big16(bytes, at) << 16 | read_big16(bytes, at + 2);
}
inline std::uint64_t read_big64(FileBytes bytes, std::size_t at) {
    return std::uint64_t{read_big32(bytes, at)} << 32 | read_big32(bytes, at + 4);
}
inline std::uint32_t read_little16(FileBytes bytes, std::size_t at) {
    return static_cast<std::uint32_t>(bytes[at] | bytes[at + 1] << 8);
}
inline std::uint32_t read_little24(FileBytes bytes, std::size_t at) {
    return read_little16(bytes, at) | std::uint32_t{bytes[at + 2]} << 16;
}
inline std::uint32_t read_little32(FileBytes bytes, std::size_t at) {
    return bytes[at] | std::uint32_t{bytes[at + 1]} << 8 | std::uint32_t{bytes[at + 2]} << 16 |
           std::uint32_t{bytes[at + 3]} << 24;
}
inline std::string_view text_of(FileBytes bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace tessera::codecs
