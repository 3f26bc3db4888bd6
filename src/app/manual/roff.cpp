#include "app/manual/roff.hpp"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstdio>

#include "app/version.hpp"

namespace tessera::app::roff {
namespace {

// The code point that begins at text[at], which is then its last byte. What is printed is UTF-8 of our own.
std::uint32_t code_point(std::string_view text, std::size_t& at) {
    const auto first = static_cast<unsigned char>(text[at]);
    const int more = first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : first >= 0xc0 ? 1 : 0;
    std::uint32_t point = more == 0 ? first : first & (0x3fU >> more);
    for (int i = 0; i < more && at + 1 < text.size(); ++i) {
        point = point << 6 | (static_cast<unsigned char>(text[++at]) & 0x3fU);
    }
    return point;
}

std::string upper(std::string_view text) {
    std::string result(text);
    std::ranges::transform(result, result.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    return result;
}

}  // namespace

std::string escaped(std::string_view text) {
    std::string result;
    // A line that begins with one of these would be a macro.
    if (text.starts_with('.') || text.starts_with('\'')) result += "\\&";
    for (std::size_t at = 0; at < text.size(); ++at) {
        const char c = text[at];
        if (c == '\\') {
            result += "\\e";
        } else if (c == '-') {
            result += "\\-";
        } else if (c == '\'') {
            result += "\\(aq";
        } else if (c == '^') {
            result += "\\(ha";
        } else if (c == '~') {
            result += "\\(ti";
        } else if (c == '`') {
            result += "\\(ga";
        } else if (static_cast<unsigned char>(c) < 0x80) {
            result += c;
        } else {
            char name[16];
            std::snprintf(name, sizeof name, "\\[u%04X]", code_point(text, at));
            result += name;
        }
    }
    return result;
}

std::string bold(std::string_view text) {
    return "\\fB" + escaped(text) + "\\fR";
}

std::string italic(std::string_view text) {
    return "\\fI" + escaped(text) + "\\fR";
}

std::string prose(std::string_view text) {
    std::string result;
    bool is_code = false;
    while (true) {
        const std::size_t tick = text.find('`');
        const std::string_view part = text.substr(0, tick);
        if (!part.empty()) result += is_code ? bold(part) : escaped(part);
        if (tick == std::string_view::npos) return result;
        text.remove_prefix(tick + 1);
        is_code = !is_code;
    }
}

std::string title(std::string_view name, int section) {
    return ".TH \"" + escaped(upper(name)) + "\" \"" + std::to_string(section) + "\" \"" + released + "\" \"Tessera " +
           version + "\"\n";
}

std::string section(std::string_view name) {
    return ".SH " + escaped(upper(name)) + "\n";
}

std::string subsection(std::string_view name) {
    return ".SS \"" + escaped(name) + "\"\n";
}

std::string entry(std::string_view term, std::string_view explanation) {
    return ".TP\n" + std::string(term) + "\n" + std::string(explanation) + "\n";
}

std::string example(std::string_view line) {
    return escaped(line) + "\n";
}

}  // namespace tessera::app::roff
