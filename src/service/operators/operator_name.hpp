// What operators may be called.
#pragma once

#include <string>
#include <string_view>

#include "core/result.hpp"

namespace tessera::service {

// `invalid_request` unless it is 1 to 64 of a-z, 0-9 and ._@-, beginning with a letter or digit.
Result<void> check_operator_name(std::string_view name);

}  // namespace tessera::service
