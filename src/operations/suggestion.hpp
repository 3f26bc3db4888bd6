// What a mistyped name was probably meant to be.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace tessera::operations {

// The known name that is one or two typing mistakes away, if there is one.
std::optional<std::string_view> nearest(std::string_view name, std::span<const std::string_view> known);

// "a, b or c"
std::string one_of_these(std::span<const std::string_view> names);

// `text` fit to be quoted in a message: cut to a sane length, at a character's boundary.
std::string shortened(std::string_view text);

}  // namespace tessera::operations
