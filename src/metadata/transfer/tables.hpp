// The tables that are moved, in an order that respects their references, and how each column travels.
#pragma once

#include <span>
#include <string_view>
#include <vector>

namespace tessera::metadata::transfer {

enum class Kind { text, integer, real, flag, uuid, bytes };

struct Column {
    std::string_view name;
    Kind kind = Kind::text;
    std::string_view from = {};  // what the source reads instead of the column of that name
};

struct Table {
    std::string_view name;
    std::vector<Column> columns;
};

std::span<const Table> tables();

// Tables that are not moved because the target makes them itself, or has no use for them.
std::span<const std::string_view> left_behind();

}  // namespace tessera::metadata::transfer
