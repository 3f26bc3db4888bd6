#include "blobs/s3/s3_text.hpp"

#include "blobs/s3/s3_xml.hpp"

namespace tessera::blobs {

std::string uri_encoded(std::string_view text) {
    static constexpr std::string_view digits = "0123456789ABCDEF";
    std::string out;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '.' ||
            c == '_' || c == '~') {
            out += c;
        } else {
            out += '%';
            out += digits[byte >> 4];
            out += digits[byte & 15];
        }
    }
    return out;
}

Error s3_error(const HttpRequest& request, const HttpResponse& response) {
    const std::string code = xml_text(response.body, "Code");
    const std::string detail = "s3: " + request.method + " " + request.url + ": " + std::to_string(response.status) +
                               (code.empty() ? "" : " " + code) + " " + xml_text(response.body, "Message");
    if (response.status == 404 && code != "NoSuchBucket" && code != "NoSuchUpload")
        return {ErrorCode::not_found, "not found", detail};
    return storage_unavailable(detail);
}

}  // namespace tessera::blobs
