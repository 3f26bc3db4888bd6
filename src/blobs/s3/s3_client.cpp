#include "blobs/s3/s3_client.hpp"

#include <algorithm>
#include <charconv>
#include <random>
#include <thread>

#include "blobs/s3/s3_text.hpp"
#include "blobs/s3/s3_xml.hpp"
#include "core/hex.hpp"
#include "core/log.hpp"

namespace tessera::blobs {

namespace {

constexpr std::chrono::milliseconds first_backoff{100};
constexpr std::chrono::milliseconds longest_backoff{3'000};
constexpr int too_many_requests = 429;

std::string base_address(const S3Config& config) {
    if (config.path_style) return config.endpoint + "/" + config.bucket + "/";
    const auto host = config.endpoint.find("//") + 2;
    return config.endpoint.substr(0, host) + config.bucket + "." + config.endpoint.substr(host) + "/";
}

std::optional<std::uint64_t> number(std::string_view text) {
    std::uint64_t value = 0;
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (failed != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
}

// The total in "bytes 0-99/1234".
std::optional<std::uint64_t> total_of(const std::string& content_range) {
    const auto slash = content_range.rfind('/');
    return slash == std::string::npos ? std::nullopt : number(std::string_view(content_range).substr(slash + 1));
}

// Full jitter: nodes that failed together do not come back together.
void back_off(int attempt) {
    thread_local std::minstd_rand random{std::random_device{}()};
    const auto most = std::min(longest_backoff, first_backoff * (1 << std::min(attempt, 10)));
    std::this_thread::sleep_for(
        std::chrono::milliseconds(std::uniform_int_distribution<std::int64_t>(1, most.count())(random)));
}

bool may_pass(const HttpResponse& response) {
    return response.status >= 500 || response.status == too_many_requests || response.status == 408 ||
           xml_text(response.body, "Code") == "RequestTimeout";
}

S3Object object_of(const HttpResponse& response) {
    S3Object object;
    object.size =
        total_of(response.header("content-range")).value_or(number(response.header("content-length")).value_or(0));
    object.etag = response.header("etag");
    object.sha256 = response.header("x-amz-meta-sha256");
    return object;
}

}  // namespace

S3Client::S3Client(const S3Config& config)
    : config_(config),
      http_({config.region, config.access_key_id, config.secret_access_key}, config.connect_timeout,
            config.stall_timeout),
      base_(base_address(config)) {}

HttpRequest S3Client::request(std::string method, std::string_view key, std::string_view query,
                              std::string_view payload_sha256) const {
    HttpRequest request;
    request.method = std::move(method);
    request.url = base_ + std::string(key) + (query.empty() ? "" : "?" + std::string(query));
    request.headers.push_back("x-amz-content-sha256: " + std::string(payload_sha256));
    if (!config_.session_token.empty()) request.headers.push_back("x-amz-security-token: " + config_.session_token);
    return request;
}

HttpRequest S3Client::request(std::string method, const BlobKey& key, std::string_view query) const {
    return request(std::move(method), config_.prefix + key.text(), query, sha256_of_nothing);
}

Result<HttpResponse> S3Client::send(const HttpRequest& request, int attempts) const {
    for (int attempt = 1;; ++attempt) {
        auto response = [&] {
            const TimedScope timed(meters_.duration_of(request.method));
            return http_.exchange(request);
        }();
        const bool again = !response || may_pass(*response);
        if (!again) return response;
        (response ? meters_.turned_away : meters_.unanswered).add();
        Error error =
            response
                ? s3_error(request, *response)
                : storage_unavailable("s3: " + request.method + " " + request.url + ": " + response.error().detail);
        if (attempt >= attempts) return error;
        log::debug("s3.retry", {{"attempt", attempt}, {"error", error.detail}});
        back_off(attempt - 1);
    }
}

Result<S3Object> S3Client::head(const BlobKey& key) {
    const auto head = request("HEAD", key);
    const auto response = send(head);
    if (!response) return response.error();
    if (!response->ok()) return s3_error(head, *response);
    return object_of(*response);
}

Result<S3Range> S3Client::read(const BlobKey& key, std::uint64_t offset, std::span<std::uint8_t> out,
                               const std::string& etag) {
    if (out.empty()) return S3Range{};
    auto get = request("GET", key);
    get.headers.push_back("Range: bytes=" + std::to_string(offset) + "-" + std::to_string(offset + out.size() - 1));
    if (!etag.empty()) get.headers.push_back("If-Match: " + etag);
    get.out = out;
    const auto response = send(get);
    if (!response) return response.error();
    if (response->status == 416) {  // an empty object has no range to give
        auto object = head(key);
        if (!object) return object.error();
        return S3Range{*std::move(object), 0};
    }
    if (!response->ok()) return s3_error(get, *response);
    S3Range range{object_of(*response), response->received};
    if (response->status == 200 && offset != 0) return storage_unavailable("s3: the store ignores ranges");
    const std::uint64_t expected =
        range.object.size < offset ? 0 : std::min<std::uint64_t>(out.size(), range.object.size - offset);
    if (range.received != expected)
        return storage_unavailable("s3: " + get.url + ": the range is not of the length asked for");
    return range;
}

Result<void> S3Client::put(const BlobKey& key, const FileSlice& file, const Digest& sha256) {
    const std::string digest = to_hex(sha256);
    auto put = request("PUT", config_.prefix + key.text(), "", digest);
    put.headers.push_back("x-amz-meta-sha256: " + digest);
    put.file = file;
    const auto response = send(put);
    if (!response) return response.error();
    if (!response->ok()) return s3_error(put, *response);
    return {};
}

Result<void> S3Client::remove(const BlobKey& key) {
    const auto remove = request("DELETE", key);
    const auto response = send(remove);
    if (!response) return response.error();
    if (response->ok()) return {};
    Error error = s3_error(remove, *response);
    if (error.code == ErrorCode::not_found) return {};
    return error;
}

}  // namespace tessera::blobs
