// Large objects, in parts that are sent side by side.
#include <algorithm>
#include <vector>

#include "blobs/s3/parallel.hpp"
#include "blobs/s3/s3_client.hpp"
#include "blobs/s3/s3_text.hpp"
#include "blobs/s3/s3_xml.hpp"
#include "core/file.hpp"
#include "core/hex.hpp"
#include "core/log.hpp"

namespace tessera::blobs {

namespace {

constexpr std::uint64_t most_parts = 9'000;  // S3 takes 10,000
constexpr std::size_t parts_at_once = 4;

Result<std::string> sha256_of(const FileSlice& slice) {
    Sha256 hash;
    std::vector<std::uint8_t> buffer(std::size_t{256} * 1024);
    for (std::uint64_t at = 0; at < slice.size;) {
        const auto part = std::span(buffer).first(std::min<std::uint64_t>(buffer.size(), slice.size - at));
        const auto read = read_exactly_at(slice.fd, slice.offset + at, part);
        if (!read) return read.error();
        hash.update(part);
        at += part.size();
    }
    return to_hex(hash.finish());
}

}  // namespace

struct S3Client::Upload {
    const BlobKey& key;
    std::string id;
    std::vector<std::string> etags;

    [[nodiscard]] std::string query() const { return "uploadId=" + uri_encoded(id); }
};

Result<void> S3Client::put_in_parts(const BlobKey& key, const FileSlice& file, const Digest& sha256) {
    const std::string digest = to_hex(sha256);
    auto begun = begin_upload(key, digest);
    if (!begun) return begun.error();
    Upload upload{key, *std::move(begun), {}};

    const std::uint64_t part_size = std::max(config_.part_bytes, file.size / most_parts + 1);
    const auto parts = static_cast<std::size_t>((file.size + part_size - 1) / part_size);
    upload.etags.resize(parts);
    auto done = in_parallel(parts, parts_at_once, [&](std::size_t index) -> Result<void> {
        const std::uint64_t at = index * part_size;
        auto etag = send_part(upload, {file.fd, file.offset + at, std::min(part_size, file.size - at)}, index + 1);
        if (!etag) return etag.error();
        upload.etags[index] = *std::move(etag);
        return {};
    });
    if (done) done = complete(upload, file.size, digest);
    if (done) return {};

    const auto aborted = send(request("DELETE", key, upload.query()), 2);
    if (!aborted) log::warning("s3.abort_failed", {{"key", key.text()}, {"error", aborted.error().detail}});
    return done;
}

Result<std::string> S3Client::begin_upload(const BlobKey& key, const std::string& sha256) {
    auto begin = request("POST", key, "uploads=");
    begin.headers.push_back("x-amz-meta-sha256: " + sha256);
    const auto begun = send(begin);
    if (!begun) return begun.error();
    if (!begun->ok()) return s3_error(begin, *begun);
    std::string id = xml_text(begun->body, "UploadId");
    if (id.empty()) return storage_unavailable("s3: no upload id for " + key.text());
    return id;
}

Result<std::string> S3Client::send_part(const Upload& upload, const FileSlice& slice, std::size_t number) const {
    const auto digest = sha256_of(slice);
    if (!digest) return digest.error();
    auto put = request("PUT", config_.prefix + upload.key.text(),
                       "partNumber=" + std::to_string(number) + "&" + upload.query(), *digest);
    put.file = slice;
    const auto response = send(put);
    if (!response) return response.error();
    if (!response->ok()) return s3_error(put, *response);
    std::string etag = response->header("etag");
    if (etag.empty()) return storage_unavailable("s3: a part without an etag");
    return etag;
}

Result<void> S3Client::complete(const Upload& upload, std::uint64_t size, const std::string& sha256) {
    std::string document = "<CompleteMultipartUpload>";
    for (std::size_t i = 0; i < upload.etags.size(); ++i)
        document +=
            "<Part><PartNumber>" + std::to_string(i + 1) + "</PartNumber><ETag>" + upload.etags[i] + "</ETag></Part>";
    document += "</CompleteMultipartUpload>";

    auto post = request("POST", config_.prefix + upload.key.text(), upload.query(), to_hex(tessera::sha256(document)));
    post.body = std::move(document);
    const auto response = send(post);
    if (!response) return response.error();
    // A failure may come late, after the status was sent: it is in the body then.
    if (response->ok() && xml_text(response->body, "Code").empty()) return {};

    // A first try may have succeeded without our hearing of it.
    const auto object = head(upload.key);
    if (object && object->size == size && object->sha256 == sha256) return {};
    return s3_error(post, *response);
}

Result<void> S3Client::each_upload(Timestamp before, const std::function<Result<void>(const S3Upload&)>& use) {
    const auto get = request("GET", "", "prefix=" + uri_encoded(config_.prefix) + "&uploads=", sha256_of_nothing);
    const auto response = send(get);
    if (!response) return response.error();
    if (!response->ok()) return s3_error(get, *response);
    Result<void> outcome;
    for_each_xml(response->body, "Upload", [&](std::string_view entry) {
        const std::string key = xml_text(entry, "Key");
        const auto begun = from_iso8601(xml_text(entry, "Initiated"));
        // The bucket may be shared: only what could be a blob of ours.
        if (!key.starts_with(config_.prefix) || !BlobKey::parse(key.substr(config_.prefix.size()))) return;
        if (!begun || *begun >= before) return;
        auto used = use({key.substr(config_.prefix.size()), xml_text(entry, "UploadId"), *begun});
        if (!used) outcome = std::move(used);
    });
    return outcome;
}

Result<std::int64_t> S3Client::abort_uploads(Timestamp before) {
    std::int64_t aborted = 0;
    const auto ended = each_upload(before, [&](const S3Upload& upload) -> Result<void> {
        const auto abort =
            request("DELETE", config_.prefix + upload.key, "uploadId=" + uri_encoded(upload.id), sha256_of_nothing);
        const auto answer = send(abort);
        if (!answer) return answer.error();
        if (!answer->ok() && answer->status != 404) return s3_error(abort, *answer);
        ++aborted;
        return {};
    });
    if (!ended) return ended.error();
    return aborted;
}

}  // namespace tessera::blobs
