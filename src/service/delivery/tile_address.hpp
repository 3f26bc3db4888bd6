// The address of a tile, …/{z}/{x}/{y}.{extension}, and what it says. Each tile has one spelling.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/image_format.hpp"
#include "core/result.hpp"

namespace tessera::service {

// The parts of the address, as they stand in it.
struct TileAddress {
    std::string_view tileset_id;
    std::string_view zoom;
    std::string_view column;
    std::string_view row;  // with the file extension
};

// Numbers that may be beyond any grid.
struct TileNumbers {
    std::int64_t zoom = 0;
    std::int64_t column = 0;
    std::int64_t row = 0;
    ImageFormat format = ImageFormat::png;
    bool operator==(const TileNumbers&) const = default;
};

// Everything but the tileset's id.
[[nodiscard]] Result<TileNumbers> parse_numbers(const TileAddress& address);

// Decimal digits with no leading zero, as in every address of ours. Nothing for any other spelling.
[[nodiscard]] std::optional<std::int64_t> canonical_number(std::string_view text);

}  // namespace tessera::service
