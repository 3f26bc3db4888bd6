#include "core/log.hpp"

#include <unistd.h>

#include <array>
#include <charconv>
#include <cmath>

#include "core/clock.hpp"

namespace tessera::log {
namespace {

struct Output {
    Sink sink;
    Level threshold = Level::info;
};

// Set before threads start and never changed afterwards, so reads need no lock.
Output& output() {
    static Output instance;
    return instance;
}

std::string_view name_of(Level level) {
    switch (level) {
        case Level::debug: return "debug";
        case Level::info: return "info";
        case Level::warning: return "warning";
        case Level::error: return "error";
    }
    return "info";
}

// The length of the well-formed UTF-8 sequence at the start of `text`, or 0.
std::size_t utf8_length(std::string_view text) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const auto continues = [&](std::size_t i) { return i < text.size() && (byte(i) & 0xc0) == 0x80; };
    const unsigned char first = byte(0);
    if (first < 0x80) return 1;
    if (first >= 0xc2 && first <= 0xdf) return continues(1) ? 2 : 0;
    if (first >= 0xe0 && first <= 0xef) {
        if (!continues(1) || !continues(2)) return 0;
        if (first == 0xe0 && byte(1) < 0xa0) return 0;  // overlong
        if (first == 0xed && byte(1) > 0x9f) return 0;  // surrogates
        return 3;
    }
    if (first >= 0xf0 && first <= 0xf4) {
        if (!continues(1) || !continues(2) || !continues(3)) return 0;
        if (first == 0xf0 && byte(1) < 0x90) return 0;
        if (first == 0xf4 && byte(1) > 0x8f) return 0;
        return 4;
    }
    return 0;
}

void append_escaped_control(std::string& out, char c) {
    static constexpr char digits[] = "0123456789abcdef";
    out += "\\u00";
    out += digits[(static_cast<unsigned char>(c) >> 4) & 15];
    out += digits[static_cast<unsigned char>(c) & 15];
}

}  // namespace

void append_json_string(std::string& out, std::string_view text) {
    out += '"';
    while (!text.empty()) {
        const char c = text.front();
        if (c == '"' || c == '\\') {
            out += '\\';
            out += c;
            text.remove_prefix(1);
        } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
            append_escaped_control(out, c);
            text.remove_prefix(1);
        } else if (const std::size_t length = utf8_length(text); length > 0) {
            out += text.substr(0, length);
            text.remove_prefix(length);
        } else {
            out += "\xef\xbf\xbd";
            text.remove_prefix(1);
        }
    }
    out += '"';
}

Field::Field(std::string_view name, std::string_view text) : name_(name) {
    append_json_string(value_, text);
}
Field::Field(std::string_view name, bool value) : name_(name), value_(value ? "true" : "false") {}
Field::Field(std::string_view name, Number number) : name_(name), value_(std::to_string(number.value)) {}
Field::Field(std::string_view name, double value) : name_(name) {
    if (!std::isfinite(value)) {
        value_ = "null";
        return;
    }
    std::array<char, 40> text;
    const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
    value_.assign(text.data(), end);
}

void Field::append_to(std::string& line) const {
    line += ",\"";
    line += name_;
    line += "\":";
    line += value_;
}

void set_sink(Sink sink, Level threshold) {
    output() = {std::move(sink), threshold};
}

bool enabled(Level level) {
    return level >= output().threshold;
}

void begin_line(std::string& line, Level level, std::string_view event) {
    line += "{\"time\":\"";
    line += to_iso8601(SystemClock().now());
    line += "\",\"level\":\"";
    line += name_of(level);
    line += "\",\"event\":";
    append_json_string(line, event);
}

void write_line(Level level, std::string_view line) {
    if (!enabled(level)) return;
    if (output().sink) {
        output().sink(level, line);
        return;
    }
    std::string terminated(line);
    terminated += '\n';
    [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, terminated.data(), terminated.size());
}

void write(Level level, std::string_view event, std::initializer_list<Field> fields) {
    if (!enabled(level)) return;
    std::string line;
    begin_line(line, level, event);
    for (const Field& field : fields) field.append_to(line);
    line += '}';
    write_line(level, line);
}

}  // namespace tessera::log
