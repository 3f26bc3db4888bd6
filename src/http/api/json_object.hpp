// Writes a JSON object into a text, field by field, in the order of the calls.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/clock.hpp"
#include "core/log.hpp"
#include "core/uuid.hpp"

namespace tessera::http {

// Writes one object, field by field. Values that are JSON already are taken as they are.
class JsonObject {
  public:
    explicit JsonObject(std::string& out) : out_(out) { out_ += '{'; }

    JsonObject& text(std::string_view name, std::string_view value) {
        start(name);
        log::append_json_string(out_, value);
        return *this;
    }
    JsonObject& number(std::string_view name, std::int64_t value) { return raw(name, std::to_string(value)); }
    JsonObject& id(std::string_view name, const Uuid& value) { return text(name, value.to_string()); }
    JsonObject& time(std::string_view name, Timestamp value) { return text(name, to_iso8601(value)); }
    JsonObject& raw(std::string_view name, std::string_view json) {
        start(name);
        out_ += json;
        return *this;
    }
    std::string& start(std::string_view name) {
        if (!first_) out_ += ',';
        first_ = false;
        out_ += '"';
        out_ += name;
        out_ += "\":";
        return out_;
    }
    void end() { out_ += '}'; }

  private:
    std::string& out_;
    bool first_ = true;
};

// {"NAME": [...], "next_cursor": …}, with null for a cursor at the end of the list.
template <typename Items, typename WriteItem>
std::string list_json(std::string_view name, const Items& items, const std::optional<std::string>& next_cursor,
                      const WriteItem& write_item) {
    std::string out;
    JsonObject object(out);
    object.start(name) += '[';
    bool first = true;
    for (const auto& item : items) {
        if (!std::exchange(first, false)) out += ',';
        write_item(out, item);
    }
    out += ']';
    next_cursor ? object.text("next_cursor", *next_cursor) : object.raw("next_cursor", "null");
    object.end();
    return out;
}

}  // namespace tessera::http
