// An uploaded source image.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/clock.hpp"
#include "core/image_format.hpp"
#include "core/uuid.hpp"

namespace tessera {

// What a probe reads from an image's header. Width and height are as displayed: EXIF orientation is applied.
struct ImageInfo {
    ImageFormat format = ImageFormat::jpeg;
    std::int64_t width = 0;
    std::int64_t height = 0;
    int pages = 1;
    bool has_alpha = false;
    int bits_per_sample = 8;
    std::string colour_space;  // "srgb", "grey", "cmyk", …

    bool operator==(const ImageInfo&) const = default;
};

struct Asset {
    Uuid id;
    Uuid account_id;
    std::string source_type = "upload";
    std::string status = "ready";
    std::string original_filename;
    ImageInfo image;
    std::string checksum_sha256;
    std::int64_t byte_size = 0;
    std::string storage_key;
    Timestamp created_at;
    std::optional<Timestamp> expires_at;
};

}  // namespace tessera
