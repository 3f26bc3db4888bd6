#include "service/pictures/iiif_address.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "core/picture_error.hpp"

namespace tessera::service {
namespace {

constexpr std::size_t most_digits = 12;                 // more pixels than any picture has, and no sum of two overflows
constexpr std::size_t most_digits_behind_a_point = 32;  // more than any program writes

Error invalid(std::string what, std::string hint) {
    return Error{ErrorCode::invalid_request, std::move(what), {}}.with_hint(std::move(hint));
}
Error invalid_region() {
    return invalid("invalid region",
                   "a region is full, square, x,y,w,h in pixels or pct:x,y,w,h, and w and h are not 0");
}
Error invalid_size() {
    return invalid("invalid size", "a size is max, w, or ,h or w,h or !w,h or pct:n; ^ before it allows to enlarge");
}
Error invalid_rotation() {
    return invalid("invalid rotation", "a rotation is a number from 0 to 360, with ! before it to mirror first");
}
Error invalid_file() {
    return invalid("invalid quality or format",
                   "an address ends in default, color, gray or bitonal, and .jpg, .png or .webp: /default.jpg");
}
Error not_implemented(std::string what, std::string hint) {
    return Error{PictureError::not_implemented, std::move(what), {}}.with_hint(std::move(hint));
}

bool are_digits(std::string_view text, std::size_t most = most_digits) {
    return !text.empty() && text.size() <= most &&
           std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

std::optional<std::int64_t> whole_number(std::string_view text) {
    if (!are_digits(text)) return std::nullopt;
    std::int64_t value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
}

// Digits, and a point with further digits where there are some: no sign, no exponent.
std::optional<double> decimal_number(std::string_view text) {
    const std::size_t point = std::min(text.find('.'), text.size());
    if (!are_digits(text.substr(0, point))) return std::nullopt;
    if (point < text.size() && !are_digits(text.substr(point + 1), most_digits_behind_a_point)) return std::nullopt;
    double value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
}

bool take_prefix(std::string_view& text, std::string_view prefix) {
    if (!text.starts_with(prefix)) return false;
    text.remove_prefix(prefix.size());
    return true;
}

// Exactly as many parts as there is room for, divided by commas.
template <std::size_t count>
std::optional<std::array<std::string_view, count>> split(std::string_view text) {
    std::array<std::string_view, count> parts;
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t comma = text.find(',');
        if ((comma == std::string_view::npos) != (i + 1 == count)) return std::nullopt;
        parts[i] = text.substr(0, comma);
        text.remove_prefix(std::min(comma == std::string_view::npos ? text.size() : comma + 1, text.size()));
    }
    return parts;
}

std::optional<WantedRegion> region_in(std::string_view text) {
    if (text == "full") return WholeRegion{};
    if (text == "square") return SquareRegion{};
    const bool in_percent = take_prefix(text, "pct:");
    const auto parts = split<4>(text);
    if (!parts) return std::nullopt;
    if (in_percent) {
        std::array<double, 4> numbers{};
        for (std::size_t i = 0; i < 4; ++i) {
            const auto number = decimal_number((*parts)[i]);
            if (!number) return std::nullopt;
            numbers[i] = *number;
        }
        if (numbers[2] <= 0 || numbers[3] <= 0) return std::nullopt;
        return PercentRegion{numbers[0], numbers[1], numbers[2], numbers[3]};
    }
    std::array<std::int64_t, 4> numbers{};
    for (std::size_t i = 0; i < 4; ++i) {
        const auto number = whole_number((*parts)[i]);
        if (!number) return std::nullopt;
        numbers[i] = *number;
    }
    if (numbers[2] == 0 || numbers[3] == 0) return std::nullopt;
    return PixelRegion{numbers[0], numbers[1], numbers[2], numbers[3]};
}

std::optional<WantedSize> size_in(std::string_view text) {
    using Kind = WantedSize::Kind;
    WantedSize size;
    size.may_grow = take_prefix(text, "^");
    if (text == "max") return size;
    if (take_prefix(text, "pct:")) {
        const auto percent = decimal_number(text);
        if (!percent || *percent <= 0 || (*percent > 100 && !size.may_grow)) return std::nullopt;
        size.kind = Kind::percent;
        size.percent = *percent;
        return size;
    }
    const bool within = take_prefix(text, "!");
    const auto parts = split<2>(text);
    if (!parts) return std::nullopt;
    const auto& [width, height] = *parts;
    const auto wide = whole_number(width);
    const auto high = whole_number(height);
    if ((!wide && !width.empty()) || (!high && !height.empty())) return std::nullopt;
    if ((!wide && !high) || (within && (!wide || !high))) return std::nullopt;
    if (wide.value_or(1) == 0 || high.value_or(1) == 0) return std::nullopt;
    size.kind = within ? Kind::within : !high ? Kind::width : !wide ? Kind::height : Kind::exact;
    size.width = wide.value_or(0);
    size.height = high.value_or(0);
    return size;
}

Result<int> turn_in(std::string_view text) {
    const auto degrees = decimal_number(text);
    if (!degrees || *degrees > 360) return invalid_rotation();
    if (std::fmod(*degrees, 90) != 0) {
        return not_implemented("pictures are turned by 90, 180 and 270 degrees alone",
                               "ask for a rotation of 0, 90, 180 or 270, with or without !");
    }
    return static_cast<int>(*degrees) % 360;
}

std::optional<PictureColours> colours_in(std::string_view quality) {
    if (quality == "default" || quality == "color") return PictureColours::all;
    if (quality == "gray") return PictureColours::grey;
    if (quality == "bitonal") return PictureColours::black_and_white;
    return std::nullopt;
}

Result<ImageFormat> format_in(std::string_view extension) {
    if (extension == "jpg") return ImageFormat::jpeg;
    if (extension == "png") return ImageFormat::png;
    if (extension == "webp") return ImageFormat::webp;
    for (const std::string_view known : {"tif", "gif", "jp2", "pdf"}) {
        if (extension != known) continue;
        return not_implemented("pictures are made as jpg, png and webp alone",
                               "ask for default.jpg, default.png or default.webp");
    }
    return invalid_file();
}

}  // namespace

Result<IiifAddress> parse_iiif_address(const IiifParts& parts) {
    const auto region = region_in(parts.region);
    if (!region) return invalid_region();
    const auto size = size_in(parts.size);
    if (!size) return invalid_size();
    std::string_view rotation = parts.rotation;
    const bool mirrored = take_prefix(rotation, "!");
    const auto turned = turn_in(rotation);
    if (!turned) return turned.error();
    const std::size_t dot = parts.file.find('.');
    if (dot == std::string_view::npos) return invalid_file();
    const auto colours = colours_in(parts.file.substr(0, dot));
    if (!colours) return invalid_file();
    const auto format = format_in(parts.file.substr(dot + 1));
    if (!format) return format.error();
    return IiifAddress{*region, *size, mirrored, *turned, *colours, *format};
}

std::string_view quality_name(PictureColours colours) {
    switch (colours) {
        case PictureColours::all: return "default";
        case PictureColours::grey: return "gray";
        case PictureColours::black_and_white: return "bitonal";
    }
    return "default";
}

}  // namespace tessera::service
