// The image formats that Tessera reads or writes, and their names to the outside.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace tessera {

enum class ImageFormat { jpeg, png, webp, gif, avif, heif, jxl };

inline constexpr ImageFormat all_image_formats[] = {ImageFormat::jpeg, ImageFormat::png,  ImageFormat::webp,
                                                    ImageFormat::gif,  ImageFormat::avif, ImageFormat::heif,
                                                    ImageFormat::jxl};

std::string_view to_string(ImageFormat format);                              // jpeg
std::optional<ImageFormat> image_format_from_string(std::string_view name);  // exactly the names above
std::string_view media_type(ImageFormat format);                             // image/jpeg
std::string_view file_extension(ImageFormat format);                         // jpg

// The longest edge that the format itself can hold, in pixels.
std::int64_t max_edge(ImageFormat format);

}  // namespace tessera
