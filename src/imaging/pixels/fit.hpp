// Where a picture goes in a box: sizes and offsets for every kind of fit, in whole pixels and no libvips.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace tessera::imaging {

struct Size {
    std::int64_t width = 0;
    std::int64_t height = 0;
    bool operator==(const Size&) const = default;
};

struct Offset {
    std::int64_t left = 0;
    std::int64_t top = 0;
    bool operator==(const Offset&) const = default;
};

enum class Fit { inside, cover, contain, fill, outside };
std::optional<Fit> fit_from_string(std::string_view name);

// Either side of the box may be left open; the picture's shape then decides it and every fit means the same.
struct Box {
    std::optional<std::int64_t> width;
    std::optional<std::int64_t> height;
    Fit fit = Fit::inside;
    bool enlarge = false;
};

struct Fitted {
    Size scaled;  // the whole picture is brought to this size,
    Size output;  // then cut (cover) or extended (contain) to this one
};
Fitted fit_into(const Box& box, Size source);

enum class Position {
    centre,
    north,
    northeast,
    east,
    southeast,
    south,
    southwest,
    west,
    northwest,
    attention,
    entropy,
};
std::optional<Position> position_from_string(std::string_view name);

// Where the smaller of two sizes lies in the larger, side by side; what depends on content counts as centre.
Offset place(Position position, Size inner, Size outer);

}  // namespace tessera::imaging
