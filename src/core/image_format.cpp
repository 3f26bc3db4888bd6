#include "core/image_format.hpp"

namespace tessera {

std::string_view to_string(ImageFormat format) {
    switch (format) {
        case ImageFormat::jpeg: return "jpeg";
        case ImageFormat::png: return "png";
        case ImageFormat::webp: return "webp";
        case ImageFormat::gif: return "gif";
        case ImageFormat::avif: return "avif";
        case ImageFormat::heif: return "heif";
        case ImageFormat::jxl: return "jxl";
    }
    return "";
}

std::optional<ImageFormat> image_format_from_string(std::string_view name) {
    for (const ImageFormat format : all_image_formats) {
        if (to_string(format) == name) return format;
    }
    return std::nullopt;
}

std::string_view media_type(ImageFormat format) {
    switch (format) {
        case ImageFormat::jpeg: return "image/jpeg";
        case ImageFormat::png: return "image/png";
        case ImageFormat::webp: return "image/webp";
        case ImageFormat::gif: return "image/gif";
        case ImageFormat::avif: return "image/avif";
        case ImageFormat::heif: return "image/heif";
        case ImageFormat::jxl: return "image/jxl";
    }
    return "application/octet-stream";
}

std::string_view file_extension(ImageFormat format) {
    return format == ImageFormat::jpeg ? "jpg" : to_string(format);
}

std::int64_t max_edge(ImageFormat format) {
    switch (format) {
        case ImageFormat::jpeg: return 65535;
        case ImageFormat::webp: return 16383;
        case ImageFormat::avif:
        case ImageFormat::heif: return 16384;
        case ImageFormat::gif: return 65535;
        case ImageFormat::png: return 2147483647;
        case ImageFormat::jxl: return 1073741824;
    }
    return 0;
}

}  // namespace tessera
