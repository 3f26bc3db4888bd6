#include "core/plain_numbers.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace tessera {
namespace {

constexpr double least_plain = 1e-6;
constexpr double most_plain = 1e15;

// Behind the string that begins at `at`.
std::size_t end_of_string(std::string_view json, std::size_t at) {
    for (++at; at < json.size() && json[at] != '"'; ++at) {
        if (json[at] == '\\') ++at;
    }
    return std::min(at + 1, json.size());
}

void append_number(std::string& out, std::string_view number) {
    double value = 0;
    const bool has_exponent = number.find_first_of("eE") != std::string_view::npos;
    if (has_exponent) std::from_chars(number.data(), number.data() + number.size(), value);
    const double size = std::abs(value);
    if (!has_exponent || (size != 0 && (size < least_plain || size >= most_plain))) {
        out += number;
        return;
    }
    std::array<char, 32> text;
    const auto end = std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed).ptr;
    out.append(text.data(), end);
}

}  // namespace

std::string with_plain_numbers(std::string_view json) {
    constexpr std::string_view number_begins = "-0123456789";
    constexpr std::string_view number_has = "+-.0123456789eE";
    std::string out;
    out.reserve(json.size());
    for (std::size_t at = 0; at < json.size();) {
        std::size_t end = at + 1;
        if (json[at] == '"') {
            end = end_of_string(json, at);
            out += json.substr(at, end - at);
        } else if (number_begins.find(json[at]) != std::string_view::npos) {
            end = std::min(json.find_first_not_of(number_has, at), json.size());
            append_number(out, json.substr(at, end - at));
        } else {
            out += json[at];
        }
        at = end;
    }
    return out;
}

}  // namespace tessera
