// Numbers of a JSON text as people write them: 80.54, where Boost.JSON writes 8.054E1.
#pragma once

#include <string>
#include <string_view>

namespace tessera {

// `json` is well-formed. Numbers from a millionth to 10^15 lose their exponent and keep their value; beyond that the
// exponent is the shorter way, and stays.
std::string with_plain_numbers(std::string_view json);

}  // namespace tessera
