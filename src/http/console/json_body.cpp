#include "http/console/json_body.hpp"

#include <algorithm>
#include <boost/json/array.hpp>

#include "core/text.hpp"
#include "service/jobs/strict_json.hpp"

namespace tessera::http {
namespace {

Error invalid(std::string message) {
    return {ErrorCode::invalid_request, std::move(message), {}};
}

bool says_json(const Request& request) {
    const std::string_view type = request.header("Content-Type").value_or(std::string_view());
    return equal_ignoring_case(trimmed(type.substr(0, type.find(';'))), "application/json");
}

}  // namespace

Result<JsonBody> JsonBody::parse(const Request& request, std::initializer_list<std::string_view> known) {
    if (!says_json(request)) return invalid("Content-Type must be application/json");
    auto value = service::parse_strict_json(request.body);
    if (!value) return std::move(value).error();
    if (!value->is_object()) return invalid("the body must be a JSON object");
    for (const auto& field : value->get_object()) {
        if (std::ranges::find(known, std::string_view(field.key())) == known.end())
            return invalid("unknown field '" + std::string(field.key()).substr(0, 64) + "'");
    }
    return JsonBody(std::move(value->get_object()));
}

const boost::json::value* JsonBody::find(std::string_view name) const {
    const boost::json::value* value = object_.if_contains(name);
    return value == nullptr || value->is_null() ? nullptr : value;
}

Result<std::string> JsonBody::text(std::string_view name) const {
    const boost::json::value* value = find(name);
    if (value == nullptr || !value->is_string()) return invalid(std::string(name) + " must be a string");
    return std::string(value->get_string());
}

Result<bool> JsonBody::flag(std::string_view name) const {
    const boost::json::value* value = find(name);
    if (value == nullptr || !value->is_bool()) return invalid(std::string(name) + " must be true or false");
    return value->get_bool();
}

Result<std::optional<std::string>> JsonBody::optional_text(std::string_view name) const {
    if (find(name) == nullptr) return std::optional<std::string>();
    auto given = text(name);
    if (!given) return std::move(given).error();
    return std::optional(std::move(*given));
}

Result<std::optional<Timestamp>> JsonBody::optional_time(std::string_view name) const {
    const auto given = optional_text(name);
    if (!given) return given.error();
    if (!*given) return std::optional<Timestamp>();
    const auto time = from_iso8601(**given);
    if (!time) return invalid(std::string(name) + " must be a time such as 2027-01-31T09:00:00Z");
    return time;
}

Result<std::vector<std::string>> JsonBody::texts(std::string_view name) const {
    std::vector<std::string> all;
    const boost::json::value* value = find(name);
    if (value == nullptr) return all;
    const Error refusal = invalid(std::string(name) + " must be a list of strings");
    if (!value->is_array()) return refusal;
    for (const boost::json::value& item : value->get_array()) {
        if (!item.is_string()) return refusal;
        all.emplace_back(item.get_string());
    }
    return all;
}

}  // namespace tessera::http
