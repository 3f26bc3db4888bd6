// Rate limits: a window that opens with a subject's first request and admits a fixed count until it closes.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <span>
#include <string_view>

#include "core/uuid.hpp"

namespace tessera::service {

// One class of requests that is counted apart from the others.
enum class RateClass : std::uint8_t {
    plans,                  // GET /v1/plans, per IP
    account,                // GET /v1/account, per account
    uploads,                // POST /v1/assets, per account
    job_submissions,        // POST /v1/jobs, per account
    job_reads,              // GET /v1/jobs/{id}, per account
    artifact_reads,         // GET /v1/artifacts/{id}, per account
    downloads,              // GET /v1/artifacts/{id}/download, per IP
    tiles,                  // GET /v1/tilesets/…, per account
    cdn_tiles,              // GET /cdn/tilesets/…, per IP
    failed_authentication,  // requests that were refused with 401, per IP
    asset_reads,            // GET /v1/assets and GET /v1/assets/{id}, per account
    asset_downloads,        // GET /v1/assets/{id}/content, per IP
    job_lists,              // GET /v1/jobs, per account
    job_cancellations,      // POST /v1/jobs/{id}/cancel, per account
    tileset_reads,          // GET /v1/tilesets, GET /v1/tilesets/{id} and its TileJSON, per account
    deletions,              // DELETE of anything, per account
    asset_previews,         // GET /v1/assets/{id}/preview, per account, or per IP where it is signed
    asset_pictures,         // GET /v1/assets/{id}/iiif/…, per account, and /cdn/assets/…, per IP
    usage_reads,            // GET /v1/usage, per account
    operator_sign_ins,      // attempts to sign in to the console, per IP
    operator_names,         // the same per operator's name, beyond which each IP has one
};
inline constexpr std::size_t rate_class_count = 21;

// The counts admitted per window; 0 means that the class is not limited.
struct RateLimitsConfig {
    bool enabled = true;
    std::chrono::seconds window{60};
    std::int64_t plans = 120;
    std::int64_t account = 240;
    std::int64_t uploads = 30;
    std::int64_t job_submissions = 60;
    std::int64_t job_reads = 240;
    std::int64_t artifact_reads = 240;
    std::int64_t downloads = 600;
    std::int64_t tiles = 0;
    std::int64_t cdn_tiles = 0;
    std::int64_t failed_authentication = 60;
    std::int64_t asset_reads = 240;
    std::int64_t asset_downloads = 600;
    std::int64_t job_lists = 120;
    std::int64_t job_cancellations = 60;
    std::int64_t tileset_reads = 240;
    std::int64_t deletions = 60;
    std::int64_t asset_previews = 600;
    std::int64_t asset_pictures = 1200;
    std::int64_t usage_reads = 120;
    std::int64_t operator_sign_ins = 10;
    std::int64_t operator_names = 30;
    std::int64_t max_subjects = 1'000'000;  // windows kept in memory

    [[nodiscard]] std::int64_t count_for(RateClass rate_class) const;
};

// As the nodes of a cluster name it to each other, and as the configuration does under "rate_limits.".
std::string_view to_string(RateClass rate_class);

// Who is counted. An IPv6 client counts as its /64, because a /64 is what one client is given.
class RateSubject {
  public:
    explicit RateSubject(const Uuid& account) : bytes_(account.bytes()) {}
    static RateSubject ipv4(const std::array<std::uint8_t, 4>& address);
    static RateSubject ipv6(const std::array<std::uint8_t, 16>& address);  // IPv4-mapped ones count as IPv4

    [[nodiscard]] const std::array<std::uint8_t, 16>& bytes() const { return bytes_; }
    bool operator==(const RateSubject&) const = default;

  private:
    explicit RateSubject(const std::array<std::uint8_t, 16>& bytes) : bytes_(bytes) {}
    std::array<std::uint8_t, 16> bytes_{};
};

struct RateDecision {
    bool allowed = true;
    bool limited_class = false;  // false: no limit applies, and the other members say nothing
    std::int64_t limit = 0;
    std::chrono::seconds window{0};
    std::int64_t remaining = 0;
    std::chrono::seconds reset_after{0};  // until the window closes, rounded up
};

class RateLimiter {
  public:
    virtual ~RateLimiter() = default;

    // Counts one request. Must not block: it runs on the socket threads.
    virtual RateDecision take(RateClass rate_class, const RateSubject& subject) = 0;

    // What take() would answer, without counting: to refuse early where only failures count.
    [[nodiscard]] virtual RateDecision peek(RateClass rate_class, const RateSubject& subject) = 0;
};

}  // namespace tessera::service
