// From what clients ask for to a place in a list, and back. A cursor is opaque to them: it is the id before which the
// page starts, and every text of its shape is one.
#pragma once

#include <optional>
#include <string>

#include "core/result.hpp"
#include "metadata/lists.hpp"
#include "service/access/page.hpp"

namespace tessera::service {

inline constexpr int default_page = 20;
inline constexpr int largest_page = 100;

[[nodiscard]] Result<metadata::Page> parse_page(const PageRequest& request);
[[nodiscard]] std::optional<std::string> cursor_of(const std::optional<Uuid>& next);

}  // namespace tessera::service
