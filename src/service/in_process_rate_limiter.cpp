#include "service/in_process_rate_limiter.hpp"

#include <algorithm>
#include <cstring>
#include <mutex>
#include <unordered_map>

namespace tessera::service {
namespace {

using TimePoint = std::chrono::steady_clock::time_point;

struct WindowKey {
    RateSubject subject;
    RateClass rate_class;
    bool operator==(const WindowKey&) const = default;
};

// A subject is an address or an id that the client can't choose freely bit by bit, yet the finaliser still spreads
// neighbouring addresses over the shards.
struct HashWindowKey {
    std::size_t operator()(const WindowKey& key) const noexcept {
        std::uint64_t high = 0;
        std::uint64_t low = 0;
        std::memcpy(&high, key.subject.bytes().data(), 8);
        std::memcpy(&low, key.subject.bytes().data() + 8, 8);
        std::uint64_t mixed = high ^ (low * 0x9e3779b97f4a7c15ULL) ^ (static_cast<std::uint64_t>(key.rate_class) << 56);
        mixed ^= mixed >> 30;
        mixed *= 0xbf58476d1ce4e5b9ULL;
        mixed ^= mixed >> 27;
        mixed *= 0x94d049bb133111ebULL;
        return mixed ^ (mixed >> 31);
    }
};

struct Window {
    TimePoint opened_at;
    std::int64_t taken = 0;
};

}  // namespace

struct alignas(64) InProcessRateLimiter::Shard {
    std::mutex mutex;
    std::unordered_map<WindowKey, Window, HashWindowKey> windows;
    TimePoint next_sweep{};

    // Makes room for one more window: closed ones go first. When a shard is full of open ones, an arbitrary one
    // goes, which forgives its subject a part of a minute and keeps the memory bounded.
    void make_room(std::size_t at_most, TimePoint now, std::chrono::seconds length) {
        if (windows.size() < at_most && now < next_sweep) return;
        if (now >= next_sweep) {
            std::erase_if(windows, [&](const auto& entry) { return now - entry.second.opened_at >= length; });
            next_sweep = now + length;
        }
        if (windows.size() >= at_most) windows.erase(windows.begin());
    }
};

std::int64_t RateLimitsConfig::count_for(RateClass rate_class) const {
    switch (rate_class) {
        case RateClass::plans: return plans;
        case RateClass::account: return account;
        case RateClass::uploads: return uploads;
        case RateClass::job_submissions: return job_submissions;
        case RateClass::job_reads: return job_reads;
        case RateClass::artifact_reads: return artifact_reads;
        case RateClass::downloads: return downloads;
        case RateClass::tiles: return tiles;
        case RateClass::cdn_tiles: return cdn_tiles;
        case RateClass::failed_authentication: return failed_authentication;
    }
    return 0;
}

RateSubject RateSubject::ipv4(const std::array<std::uint8_t, 4>& address) {
    std::array<std::uint8_t, 16> bytes{};
    bytes[10] = bytes[11] = 0xff;
    std::copy(address.begin(), address.end(), bytes.begin() + 12);
    return RateSubject(bytes);
}

RateSubject RateSubject::ipv6(const std::array<std::uint8_t, 16>& address) {
    static constexpr std::array<std::uint8_t, 12> mapped_prefix{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
    if (std::equal(mapped_prefix.begin(), mapped_prefix.end(), address.begin())) return RateSubject(address);
    std::array<std::uint8_t, 16> network = address;
    std::fill(network.begin() + 8, network.end(), std::uint8_t{0});
    return RateSubject(network);
}

InProcessRateLimiter::InProcessRateLimiter(const RateLimitsConfig& config, Now now)
    : config_(config),
      now_(std::move(now)),
      max_per_shard_(std::max<std::size_t>(1, static_cast<std::size_t>(config.max_subjects) / shard_count)),
      shards_(std::make_unique<Shard[]>(shard_count)) {}

InProcessRateLimiter::~InProcessRateLimiter() = default;

RateDecision InProcessRateLimiter::take(RateClass rate_class, const RateSubject& subject) {
    return decide(rate_class, subject, 1);
}

RateDecision InProcessRateLimiter::peek(RateClass rate_class, const RateSubject& subject) {
    return decide(rate_class, subject, 0);
}

RateDecision InProcessRateLimiter::decide(RateClass rate_class, const RateSubject& subject, std::int64_t cost) {
    const std::int64_t limit = config_.count_for(rate_class);
    if (!config_.enabled || limit <= 0) return {};

    const WindowKey key{subject, rate_class};
    Shard& shard = shards_[HashWindowKey{}(key) % shard_count];
    const TimePoint now = now_();
    RateDecision decision{.limited_class = true, .limit = limit};

    const std::lock_guard lock(shard.mutex);
    auto found = shard.windows.find(key);
    const bool open = found != shard.windows.end() && now - found->second.opened_at < config_.window;
    if (!open && cost == 0) {
        decision.remaining = limit;
        decision.reset_after = config_.window;
        return decision;
    }
    if (found == shard.windows.end()) {
        shard.make_room(max_per_shard_, now, config_.window);
        found = shard.windows.emplace(key, Window{now, 0}).first;
    } else if (!open) {
        found->second = {now, 0};
    }

    Window& window = found->second;
    decision.allowed = window.taken < limit;
    if (decision.allowed) window.taken += cost;
    decision.remaining = limit - window.taken;
    const auto left = config_.window - (now - window.opened_at);
    decision.reset_after = std::max(std::chrono::seconds(1), std::chrono::ceil<std::chrono::seconds>(left));
    return decision;
}

std::size_t InProcessRateLimiter::window_count() const {
    std::size_t total = 0;
    for (std::size_t i = 0; i < shard_count; ++i) {
        const std::lock_guard lock(shards_[i].mutex);
        total += shards_[i].windows.size();
    }
    return total;
}

}  // namespace tessera::service
