#include "http/message/request.hpp"

#include <algorithm>
#include <utility>

#include "core/text.hpp"

namespace tessera::http {
namespace {

constexpr std::pair<Method, std::string_view> method_names[] = {
    {Method::get, "GET"},     {Method::head, "HEAD"},      {Method::post, "POST"},       {Method::put, "PUT"},
    {Method::patch, "PATCH"}, {Method::delete_, "DELETE"}, {Method::options, "OPTIONS"},
};

int hex_digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    const char l = lower_case(c);
    return l >= 'a' && l <= 'f' ? l - 'a' + 10 : -1;
}

}  // namespace

std::string_view to_string(Method method) {
    for (const auto& [value, name] : method_names) {
        if (value == method) return name;
    }
    return "OTHER";
}

Method method_from_string(std::string_view text) {
    for (const auto& [value, name] : method_names) {
        if (name == text) return value;
    }
    return Method::other;
}

bool equal_ignoring_case(std::string_view a, std::string_view b) {
    return a.size() == b.size() &&
           std::equal(a.begin(), a.end(), b.begin(), [](char x, char y) { return lower_case(x) == lower_case(y); });
}

std::optional<std::string> percent_decoded(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '+') {
            out += ' ';
        } else if (text[i] != '%') {
            out += text[i];
        } else {
            if (i + 2 >= text.size()) return std::nullopt;
            const int high = hex_digit(text[i + 1]);
            const int low = hex_digit(text[i + 2]);
            if (high < 0 || low < 0) return std::nullopt;
            out += static_cast<char>(high * 16 + low);
            i += 2;
        }
    }
    return out;
}

std::optional<std::string_view> Request::header(std::string_view name) const {
    for (const HeaderView& header : headers) {
        if (equal_ignoring_case(header.name, name)) return header.value;
    }
    return std::nullopt;
}

std::string_view Request::parameter(std::string_view name) const {
    for (std::size_t i = 0; i < path_parameter_count; ++i) {
        if (path_parameters[i].name == name) return path_parameters[i].value;
    }
    return {};
}

std::optional<std::string> Request::query_parameter(std::string_view name) const {
    std::string_view rest = query;
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find('&'), rest.size());
        const std::string_view pair = rest.substr(0, end);
        rest.remove_prefix(std::min(end + 1, rest.size()));
        const std::size_t equals = std::min(pair.find('='), pair.size());
        if (pair.substr(0, equals) != name) continue;
        return percent_decoded(pair.substr(std::min(equals + 1, pair.size())));
    }
    return std::nullopt;
}

}  // namespace tessera::http
