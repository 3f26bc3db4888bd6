// Copies of objects, under names that need not be keys of blobs.
#include <algorithm>
#include <vector>

#include "blobs/s3/s3_client.hpp"
#include "blobs/s3/s3_text.hpp"
#include "blobs/s3/s3_xml.hpp"
#include "core/hash.hpp"
#include "core/hex.hpp"

namespace tessera::blobs {

namespace {

constexpr std::uint64_t most_parts = 9'000;  // S3 takes 10,000

std::string hex_of(std::string_view text) {
    return to_hex(sha256(text));
}

}  // namespace

Result<void> S3Client::put_text(const std::string& target, std::string_view text) {
    auto put = request("PUT", config_.prefix + target, "", hex_of(text));
    put.body = text;
    const auto response = send(put);
    if (!response) return response.error();
    if (!response->ok()) return s3_error(put, *response);
    return {};
}

bool S3Client::is_there(const std::string& target) {
    const auto response = send(request("HEAD", config_.prefix + target, "", sha256_of_nothing));
    return response && response->ok();
}

Result<void> S3Client::copy(const BlobKey& key, const std::string& target, std::uint64_t in_one_step) {
    const auto object = head(key);
    if (!object) return object.error();
    if (object->size > in_one_step) return copy_in_parts(key, *object, target);
    auto put = request("PUT", config_.prefix + target, "", sha256_of_nothing);
    put.headers.push_back("x-amz-copy-source: /" + config_.bucket + "/" + config_.prefix + key.text());
    const auto response = send(put);
    if (!response) return response.error();
    // A failure may come late, after the status was sent: it is in the body then.
    if (!response->ok() || !xml_text(response->body, "Code").empty()) return s3_error(put, *response);
    return {};
}

// Through this machine: a part that the store copies itself needs x-amz-copy-source and x-amz-copy-source-range, which
// libcurl before 8 signs in the wrong order.
Result<void> S3Client::copy_in_parts(const BlobKey& key, const S3Object& object, const std::string& target) {
    const std::string name = config_.prefix + target;
    auto begin = request("POST", name, "uploads=", sha256_of_nothing);
    begin.headers.push_back("x-amz-meta-sha256: " + object.sha256);
    const auto begun = send(begin);
    if (!begun) return begun.error();
    const std::string id = xml_text(begun->body, "UploadId");
    if (!begun->ok() || id.empty()) return s3_error(begin, *begun);

    const std::uint64_t part_size = std::max(config_.part_bytes, object.size / most_parts + 1);
    std::string bytes;
    std::string document = "<CompleteMultipartUpload>";
    for (std::uint64_t at = 0, number = 1; at < object.size; at += part_size, ++number) {
        bytes.resize(std::min(part_size, object.size - at));
        const std::span out(reinterpret_cast<std::uint8_t*>(bytes.data()), bytes.size());
        if (const auto got = read(key, at, out, object.etag); !got) return got.error();
        auto part = request("PUT", name, "partNumber=" + std::to_string(number) + "&uploadId=" + uri_encoded(id),
                            hex_of(bytes));
        part.body = bytes;
        const auto sent = send(part);
        if (!sent) return sent.error();
        const std::string etag = sent->header("etag");
        if (!sent->ok() || etag.empty()) return s3_error(part, *sent);
        document += "<Part><PartNumber>" + std::to_string(number) + "</PartNumber><ETag>" + etag + "</ETag></Part>";
    }
    document += "</CompleteMultipartUpload>";
    auto complete = request("POST", name, "uploadId=" + uri_encoded(id), hex_of(document));
    complete.body = std::move(document);
    const auto completed = send(complete);
    if (!completed) return completed.error();
    if (!completed->ok() || !xml_text(completed->body, "Code").empty()) return s3_error(complete, *completed);
    return {};
}

}  // namespace tessera::blobs
