#include "service/delivery/tile_address.hpp"

#include <charconv>

namespace tessera::service {
namespace {

Error invalid_coordinates() {
    return Error{ErrorCode::invalid_request, "invalid tile coordinates", {}}.with_hint(
        "an address ends in zoom, column and row, whole numbers from 0 without leading zeros, and .png, .jpg or .webp: "
        "/3/5/2.png");
}

Error no_extension() {
    return {ErrorCode::invalid_request,
            "invalid tile coordinates: the row needs the extension of the tileset's format, "
            "as in {z}/{x}/{y}.png, .jpg or .webp",
            {}};
}

std::optional<ImageFormat> format_of_extension(std::string_view extension) {
    if (extension == "png") return ImageFormat::png;
    if (extension == "jpg" || extension == "jpeg") return ImageFormat::jpeg;
    if (extension == "webp") return ImageFormat::webp;
    return std::nullopt;
}

}  // namespace

std::optional<std::int64_t> canonical_number(std::string_view text) {
    if (text.empty() || text.size() > 18 || (text.size() > 1 && text.front() == '0')) return std::nullopt;
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || text.front() == '-') return std::nullopt;
    return value;
}

Result<TileNumbers> parse_numbers(const TileAddress& address) {
    const std::size_t dot = address.row.find('.');
    const auto zoom = canonical_number(address.zoom);
    const auto column = canonical_number(address.column);
    const auto row = canonical_number(address.row.substr(0, dot));
    if (!zoom || !column || !row) return invalid_coordinates();
    const auto format = dot == std::string_view::npos ? std::nullopt : format_of_extension(address.row.substr(dot + 1));
    if (!format) return no_extension();
    return TileNumbers{*zoom, *column, *row, *format};
}

}  // namespace tessera::service
