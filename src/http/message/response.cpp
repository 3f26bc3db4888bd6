#include "http/message/response.hpp"

#include <algorithm>

#include "core/log.hpp"

namespace tessera::http {
std::uint64_t size_of(const ResponseBody& body) {
    if (const auto* text = std::get_if<std::string>(&body)) return text->size();
    if (const auto* shared = std::get_if<SharedBytes>(&body)) return shared->bytes.size();
    if (const auto* resident = std::get_if<ResidentSlice>(&body)) return resident->length;
    return std::get<FileSlice>(body).length;
}

bool may_be_header(std::string_view name, std::string_view value) {
    const auto is_control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; };
    if (std::none_of(value.begin(), value.end(), is_control)) return true;
    log::warning("response_header_refused", {{"name", name}});
    return false;
}

Response& Response::add(std::string_view name, std::string_view value) {
    if (!may_be_header(name, value)) return *this;
    headers.append(name).append(": ").append(value).append("\r\n");
    return *this;
}

Response Response::json(std::string text, int status) {
    return bytes("application/json", std::move(text), status);
}

Response Response::bytes(std::string_view content_type, ResponseBody body, int status) {
    Response response;
    response.status = status;
    response.content_type = content_type;
    response.body = std::move(body);
    return response;
}

Response Response::streamed(std::string_view content_type, std::shared_ptr<BodySource> source) {
    Response response;
    response.content_type = content_type;
    response.source = std::move(source);
    response.is_streamed = true;
    return response;
}

Response Response::empty(int status) {
    Response response;
    response.status = status;
    return response;
}

Response Response::from(Error error) {
    Response response;
    response.error = std::make_shared<const Error>(std::move(error));
    return response;
}

}  // namespace tessera::http
