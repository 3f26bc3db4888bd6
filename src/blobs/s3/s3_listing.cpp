// Listing, and the looks at a bucket that tell people what is wrong with it and what to do.
#include <algorithm>
#include <cstdlib>

#include "blobs/s3/s3_client.hpp"
#include "blobs/s3/s3_text.hpp"
#include "blobs/s3/s3_xml.hpp"

namespace tessera::blobs {

namespace {

constexpr std::size_t largest_page = 1000;

Timestamp modified_at(const std::string& text) {
    return from_iso8601(text).value_or(Timestamp());
}

std::string for_people(const S3Config& config, const HttpResponse& response) {
    const std::string code = xml_text(response.body, "Code");
    const std::string where = "bucket \"" + config.bucket + "\" at " + config.endpoint;
    if (code == "NoSuchBucket" || response.status == 404)
        return where + " does not exist\nmake it, or name another one in blobs.url";
    if (code == "InvalidAccessKeyId")
        return where + ": the access key id is not known there\nset blobs.access_key_id, or AWS_ACCESS_KEY_ID";
    if (code == "SignatureDoesNotMatch")
        return where + ": the secret access key is wrong\nset blobs.secret_access_key, or AWS_SECRET_ACCESS_KEY";
    if (code == "RequestTimeTooSkewed") return where + ": the clock of this machine is wrong\nset it, then start again";
    if (code == "PermanentRedirect" || code == "AuthorizationHeaderMalformed" || response.status == 301)
        return where + ": the bucket is in another region than \"" + config.region +
               "\"\nname it in blobs.url: ?region=…";
    if (response.status == 403)
        return where + ": access denied" + (code.empty() ? "" : " (" + code + ")") +
               "\nallow this key s3:ListBucket and s3:GetObject on it";
    return where + ": " + std::to_string(response.status) + " " + code;
}

std::string why_not_writable(const S3Config& config, const HttpResponse& response) {
    if (response.status != 403 && response.status != 405) return for_people(config, response);
    return "bucket \"" + config.bucket + "\" at " + config.endpoint +
           " is read-only for this key\nallow it s3:PutObject and s3:DeleteObject on the bucket, or use another key";
}

}  // namespace

Result<S3Listing> S3Client::list(std::string_view prefix, std::string_view start_after, std::size_t limit) {
    // The names in order, as the signature wants them.
    std::string query = "list-type=2&max-keys=" + std::to_string(std::min(limit, largest_page)) +
                        "&prefix=" + uri_encoded(config_.prefix + std::string(prefix));
    if (!start_after.empty()) query += "&start-after=" + uri_encoded(config_.prefix + std::string(start_after));
    const auto get = request("GET", "", query, sha256_of_nothing);
    const auto response = send(get);
    if (!response) return response.error();
    if (!response->ok()) return s3_error(get, *response);

    S3Listing listing;
    listing.truncated = xml_text(response->body, "IsTruncated") == "true";
    for_each_xml(response->body, "Contents", [&](std::string_view entry) {
        std::string key = xml_text(entry, "Key");
        if (!key.starts_with(config_.prefix)) return;
        listing.entries.push_back({key.substr(config_.prefix.size()),
                                   std::strtoull(xml_text(entry, "Size").c_str(), nullptr, 10),
                                   modified_at(xml_text(entry, "LastModified"))});
    });
    return listing;
}

Result<BlobPage> list_blobs(S3Client& client, std::string_view prefix, const std::optional<std::string>& from,
                            std::size_t limit) {
    if (prefix.starts_with('/') || prefix.find("..") != std::string_view::npos) return BlobPage{};
    auto listing = client.list(prefix, from.value_or(""), limit);
    if (!listing) return listing.error();
    BlobPage page;
    for (const auto& entry : listing->entries) {
        // A start that was killed may have left its probe behind: it is nobody's blob; see remove_unfinished().
        if (entry.key.starts_with(probe_prefix)) continue;
        auto key = BlobKey::parse(entry.key);
        if (key) page.entries.push_back({*std::move(key), entry.size, entry.modified_at});
    }
    if (listing->truncated && !listing->entries.empty()) page.next = listing->entries.back().key;
    return page;
}

Result<void> S3Client::look() {
    const auto get =
        request("GET", "", "list-type=2&max-keys=1&prefix=" + uri_encoded(config_.prefix), sha256_of_nothing);
    const auto response = send(get, 1);
    if (!response) {
        Error error = response.error();
        error.message = "bucket \"" + config_.bucket + "\": " + config_.endpoint + " can't be reached";
        return error;
    }
    if (response->ok()) return {};
    return Error{ErrorCode::invalid_request, for_people(config_, *response), s3_error(get, *response).detail};
}

Result<void> S3Client::try_writing(const BlobKey& key) {
    for (const char* method : {"PUT", "DELETE"}) {
        const auto change = request(method, key);
        const auto response = send(change, 1);
        if (!response) return response.error();
        if (response->ok()) continue;
        return Error{ErrorCode::invalid_request, why_not_writable(config_, *response),
                     s3_error(change, *response).detail};
    }
    return {};
}

}  // namespace tessera::blobs
