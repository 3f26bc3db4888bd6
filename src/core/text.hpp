// Small things that are done to text in many places.
#pragma once

#include <string>
#include <string_view>

namespace tessera {

// Without the spaces and tabs around it.
constexpr std::string_view trimmed(std::string_view text) {
    constexpr std::string_view blanks = " \t";
    const std::size_t first = text.find_first_not_of(blanks);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

// A to Z become a to z; every other byte stays.
constexpr char lower_case(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
}
std::string lower_case(std::string_view text);

}  // namespace tessera
