// Copies of objects that the store makes itself, under names that need not be keys of blobs.
#include <algorithm>
#include <vector>

#include "blobs/s3/s3_client.hpp"
#include "blobs/s3/s3_text.hpp"
#include "blobs/s3/s3_xml.hpp"
#include "core/hash.hpp"
#include "core/hex.hpp"

namespace tessera::blobs {

namespace {

constexpr std::uint64_t largest_part = std::uint64_t{1} << 30;

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
    if (object->size > in_one_step) return copy_in_parts(key, *object, target, std::min(largest_part, in_one_step));
    auto put = request("PUT", config_.prefix + target, "", sha256_of_nothing);
    put.headers.push_back(source_header(key));
    const auto response = send(put);
    if (!response) return response.error();
    // A failure may come late, after the status was sent: it is in the body then.
    if (!response->ok() || !xml_text(response->body, "Code").empty()) return s3_error(put, *response);
    return {};
}

std::string S3Client::source_header(const BlobKey& key) const {
    return "x-amz-copy-source: /" + config_.bucket + "/" + config_.prefix + key.text();
}

Result<void> S3Client::copy_in_parts(const BlobKey& key, const S3Object& object, const std::string& target,
                                     std::uint64_t part_size) {
    const std::string name = config_.prefix + target;
    auto begin = request("POST", name, "uploads=", sha256_of_nothing);
    begin.headers.push_back("x-amz-meta-sha256: " + object.sha256);
    const auto begun = send(begin);
    if (!begun) return begun.error();
    const std::string id = xml_text(begun->body, "UploadId");
    if (!begun->ok() || id.empty()) return s3_error(begin, *begun);

    std::string document = "<CompleteMultipartUpload>";
    for (std::uint64_t at = 0, number = 1; at < object.size; at += part_size, ++number) {
        auto part = request("PUT", name, "partNumber=" + std::to_string(number) + "&uploadId=" + uri_encoded(id),
                            sha256_of_nothing);
        part.headers.push_back(source_header(key));
        part.headers.push_back("x-amz-copy-source-range: bytes=" + std::to_string(at) + "-" +
                               std::to_string(std::min(at + part_size, object.size) - 1));
        const auto copied = send(part);
        if (!copied) return copied.error();
        const std::string etag = xml_text(copied->body, "ETag");
        if (!copied->ok() || etag.empty()) return s3_error(part, *copied);
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
