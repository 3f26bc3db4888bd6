#include "codecs/strip/strip.hpp"

#include "codecs/strip/formats.hpp"

namespace tessera::codecs {

void Pieces::keep(std::span<const std::uint8_t> part) {
    if (part.empty()) return;
    size_ += static_cast<std::int64_t>(part.size());
    // Neighbours in the original are one write.
    if (!pieces_.empty()) {
        if (auto* last = std::get_if<0>(&pieces_.back());
            last != nullptr && last->data() + last->size() == part.data()) {
            *last = {last->data(), last->size() + part.size()};
            return;
        }
    }
    pieces_.emplace_back(part);
}

void Pieces::add(std::string bytes) {
    size_ += static_cast<std::int64_t>(bytes.size());
    pieces_.emplace_back(std::move(bytes));
}

std::optional<Pieces> strip(ImageFormat format, std::span<const std::uint8_t> file, int orientation) {
    switch (format) {
        case ImageFormat::jpeg: return strip_jpeg(file, orientation);
        case ImageFormat::png: return strip_png(file, orientation);
        case ImageFormat::webp: return strip_webp(file, orientation);
        case ImageFormat::gif: return strip_gif(file);
        case ImageFormat::avif:
        case ImageFormat::heif: return strip_heif(file);
        case ImageFormat::jxl: return strip_jxl(file);
    }
    return std::nullopt;
}

}  // namespace tessera::codecs
