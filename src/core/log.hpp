// Structured logs: one JSON object a line. Never log a key, a signature or a filename.
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>

namespace tessera::log {

enum class Level { debug, info, warning, error };

class Field {
  public:
    Field(std::string_view name, std::string_view text);
    Field(std::string_view name, const char* text) : Field(name, std::string_view(text)) {}
    Field(std::string_view name, const std::string& text) : Field(name, std::string_view(text)) {}
    Field(std::string_view name, bool value);
    Field(std::string_view name, double value);
    Field(std::string_view name, std::integral auto value) : Field(name, Number{static_cast<std::int64_t>(value)}) {}

    void append_to(std::string& line) const;  // ,"name":value

  private:
    struct Number {
        std::int64_t value;
    };
    Field(std::string_view name, Number number);
    std::string_view name_;
    std::string value_;  // as JSON
};

// Where finished lines (with no newline) go. Set once at start; until then they go to standard error.
using Sink = std::function<void(Level, std::string_view line)>;
void set_sink(Sink sink, Level threshold);

[[nodiscard]] bool enabled(Level level);
void write(Level level, std::string_view event, std::initializer_list<Field> fields = {});

// For lines made by hand because they are many: begin_line appends {"time":…,"level":…,"event":…, the caller goes on
// with
// ,"name":value pairs and the closing brace, and write_line sends it off.
void begin_line(std::string& line, Level level, std::string_view event);
void write_line(Level level, std::string_view line);

inline void debug(std::string_view event, std::initializer_list<Field> fields = {}) {
    write(Level::debug, event, fields);
}
inline void info(std::string_view event, std::initializer_list<Field> fields = {}) {
    write(Level::info, event, fields);
}
inline void warning(std::string_view event, std::initializer_list<Field> fields = {}) {
    write(Level::warning, event, fields);
}
inline void error(std::string_view event, std::initializer_list<Field> fields = {}) {
    write(Level::error, event, fields);
}

// `text` as a JSON string with its quotes; bytes that are not UTF-8 become U+FFFD.
void append_json_string(std::string& out, std::string_view text);

}  // namespace tessera::log
