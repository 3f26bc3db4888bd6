// A page of a list, as clients ask for it: how many, and from where.
#pragma once

#include <optional>
#include <string_view>

namespace tessera::service {

// As they stand in the address; absent or empty: the default, and the first page.
struct PageRequest {
    std::optional<std::string_view> limit;
    std::optional<std::string_view> cursor;
};

}  // namespace tessera::service
