#include "app/remote/service.hpp"

#include <algorithm>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>
#include <boost/url/encode.hpp>
#include <boost/url/rfc/unreserved_chars.hpp>
#include <utility>

namespace tessera::remote {

namespace json = boost::json;

Request Service::request(std::string method, std::string_view path) const {
    Request request{std::move(method), address_.text() + std::string(path)};
    request.headers = {"Accept: application/json", "Authorization: Bearer " + key_};
    return request;
}

Request Service::get(std::string_view path) const {
    return request("GET", path);
}

Request Service::post(std::string_view path, const json::object& body) const {
    Request made = request("POST", path);
    made.headers.emplace_back("Content-Type: application/json");
    made.body = json::serialize(body);
    return made;
}

Request Service::remove(std::string_view path) const {
    return request("DELETE", path);
}

Request Service::upload(FilePart file) const {
    Request made = request("POST", "/v1/assets");
    made.file = std::move(file);
    return made;
}

Request signed_download(std::string url) {
    return {"GET", std::move(url)};
}

std::string in_query(std::string_view text) {
    return boost::urls::encode(text, boost::urls::unreserved_chars);
}

std::optional<json::object> object_of(const Answer& answer) {
    if (!answer.ok()) return std::nullopt;
    boost::system::error_code failed;
    json::value value = json::parse(answer.body, failed);
    if (failed || !value.is_object()) return std::nullopt;
    return std::move(value.get_object());
}

std::string text_at(const json::object& object, std::string_view name) {
    const json::value* value = object.if_contains(name);
    if (value == nullptr || !value->is_string()) return {};
    std::string text(value->get_string());
    std::ranges::replace_if(
        text, [](unsigned char c) { return c < ' ' || c == 0x7f; }, ' ');
    return text;
}

std::int64_t number_at(const json::object& object, std::string_view name) {
    const json::value* value = object.if_contains(name);
    boost::system::error_code none;
    return value != nullptr && value->is_number() ? value->to_number<std::int64_t>(none) : 0;
}

}  // namespace tessera::remote
