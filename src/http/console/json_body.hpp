// The JSON object that a request brings: its fields by name and type, and no others.
#pragma once

#include <boost/json/object.hpp>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/clock.hpp"
#include "core/result.hpp"
#include "http/message/request.hpp"

namespace tessera::http {

inline constexpr std::size_t max_console_body_bytes = 16 << 10;

class JsonBody {
  public:
    // `invalid_request` for another content type, what is no object, or a field that is not `known`.
    static Result<JsonBody> parse(const Request& request, std::initializer_list<std::string_view> known);

    // `invalid_request`, naming the field, where it is missing or of another type.
    [[nodiscard]] Result<std::string> text(std::string_view name) const;
    [[nodiscard]] Result<bool> flag(std::string_view name) const;
    // Absent or null: nothing.
    [[nodiscard]] Result<std::optional<std::string>> optional_text(std::string_view name) const;
    [[nodiscard]] Result<std::optional<Timestamp>> optional_time(std::string_view name) const;
    [[nodiscard]] Result<std::vector<std::string>> texts(std::string_view name) const;  // none where it is absent

  private:
    explicit JsonBody(boost::json::object object) : object_(std::move(object)) {}
    [[nodiscard]] const boost::json::value* find(std::string_view name) const;
    boost::json::object object_;
};

}  // namespace tessera::http
