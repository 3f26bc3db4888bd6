#include "imaging/pixels/fit.hpp"

#include <algorithm>
#include <cmath>

namespace tessera::imaging {
namespace {

std::int64_t scaled_edge(std::int64_t edge, double scale) {
    return std::max<std::int64_t>(1, std::llround(static_cast<double>(edge) * scale));
}

Size scaled(Size size, double scale) {
    return {scaled_edge(size.width, scale), scaled_edge(size.height, scale)};
}

double ratio(std::int64_t wanted, std::int64_t actual) {
    return static_cast<double>(wanted) / static_cast<double>(actual);
}

// The box brought down, in its own shape, until the picture covers it without growing.
Size covered(Size box, Size source, bool enlarge) {
    const double most = std::min(ratio(source.width, box.width), ratio(source.height, box.height));
    if (enlarge || most >= 1) return box;
    const Size smaller = scaled(box, most);
    return {std::min(smaller.width, source.width), std::min(smaller.height, source.height)};
}

Fitted fit_one_side(const Box& box, Size source) {
    double scale = box.width ? ratio(*box.width, source.width) : ratio(*box.height, source.height);
    if (!box.enlarge) scale = std::min(scale, 1.0);
    Size size = scaled(source, scale);
    return {size, size};
}

// The size of `source` at `scale`, with the side that decided the scale exactly as it was asked for.
Size snapped(Size source, double scale, Size box) {
    Size size = scaled(source, scale);
    if (scale == ratio(box.width, source.width)) size.width = box.width;
    if (scale == ratio(box.height, source.height)) size.height = box.height;
    return size;
}

}  // namespace

Fitted fit_into(const Box& box, Size source) {
    if (!box.width || !box.height) return fit_one_side(box, source);
    const Size asked{*box.width, *box.height};
    const double across = ratio(asked.width, source.width);
    const double down = ratio(asked.height, source.height);
    const double most = box.enlarge ? std::max(across, down) : 1.0;

    switch (box.fit) {
        case Fit::inside: {
            const Size size = snapped(source, std::min({across, down, most}), asked);
            return {size, size};
        }
        case Fit::outside: {
            const Size size = snapped(source, std::min(std::max(across, down), most), asked);
            return {size, size};
        }
        case Fit::contain: return {snapped(source, std::min({across, down, most}), asked), asked};
        case Fit::fill: {
            Size size = asked;
            if (!box.enlarge) size = {std::min(size.width, source.width), std::min(size.height, source.height)};
            return {size, size};
        }
        case Fit::cover: {
            const Size target = covered(asked, source, box.enlarge);
            const double scale = std::max(ratio(target.width, source.width), ratio(target.height, source.height));
            Size size = snapped(source, scale, target);
            size = {std::max(size.width, target.width), std::max(size.height, target.height)};
            return {size, target};
        }
    }
    return {source, source};
}

std::optional<Fit> fit_from_string(std::string_view name) {
    if (name == "inside") return Fit::inside;
    if (name == "cover") return Fit::cover;
    if (name == "contain") return Fit::contain;
    if (name == "fill") return Fit::fill;
    if (name == "outside") return Fit::outside;
    return std::nullopt;
}

std::optional<Position> position_from_string(std::string_view name) {
    constexpr std::pair<std::string_view, Position> names[] = {
        {"centre", Position::centre},       {"north", Position::north},         {"northeast", Position::northeast},
        {"east", Position::east},           {"southeast", Position::southeast}, {"south", Position::south},
        {"southwest", Position::southwest}, {"west", Position::west},           {"northwest", Position::northwest},
        {"attention", Position::attention}, {"entropy", Position::entropy},
    };
    for (const auto& [known, position] : names) {
        if (known == name) return position;
    }
    return std::nullopt;
}

Offset place(Position position, Size inner, Size outer) {
    const std::int64_t across = std::abs(outer.width - inner.width);
    const std::int64_t down = std::abs(outer.height - inner.height);
    Offset offset{across / 2, down / 2};
    switch (position) {
        case Position::north: offset.top = 0; break;
        case Position::south: offset.top = down; break;
        case Position::west: offset.left = 0; break;
        case Position::east: offset.left = across; break;
        case Position::northwest: offset = {0, 0}; break;
        case Position::northeast: offset = {across, 0}; break;
        case Position::southwest: offset = {0, down}; break;
        case Position::southeast: offset = {across, down}; break;
        case Position::centre:
        case Position::attention:
        case Position::entropy: break;
    }
    return offset;
}

}  // namespace tessera::imaging
