#include "service/operators/operator_name.hpp"

#include <algorithm>

namespace tessera::service {

Result<void> check_operator_name(std::string_view name) {
    const auto letter_or_digit = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); };
    const bool good =
        !name.empty() && name.size() <= 64 && letter_or_digit(name.front()) && std::ranges::all_of(name, [&](char c) {
            return letter_or_digit(c) || std::string_view("._@-").find(c) != std::string_view::npos;
        });
    if (good) return {};
    return Error{ErrorCode::invalid_request,
                 "name: expected 1 to 64 of a-z, 0-9 and . _ @ -, beginning with a letter or a digit",
                 {}};
}

}  // namespace tessera::service
