#include "service/access/in_process_rate_limiter.hpp"

#include <algorithm>
#include <cstring>
#include <mutex>
#include <unordered_map>
#include <utility>
#include <vector>

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
std::size_t hash_of(const WindowKey& key) {
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

struct HashWindowKey {
    std::size_t operator()(const WindowKey& key) const noexcept { return hash_of(key); }
};

// Never tells a client to wait for 0 s.
std::chrono::seconds seconds_until(TimePoint closes_at, TimePoint now) {
    return std::max(std::chrono::seconds(1), std::chrono::ceil<std::chrono::seconds>(closes_at - now));
}

constexpr TimePoint never{};

}  // namespace

struct InProcessRateLimiter::Window {
    TimePoint opened_at;
    std::uint64_t number = 0;
    std::int64_t taken = 0;   // here
    std::int64_t told = 0;    // of which the other nodes know
    std::int64_t others = 0;  // what they took, when last heard
    TimePoint heard_at = never;
    bool is_news = false;  // on the shard's list

    // Little is known of what the others do, or an eighth of what was left is gone since they were told.
    [[nodiscard]] bool needs_word(std::int64_t limit, TimePoint now, std::chrono::milliseconds fresh_for) const {
        return heard_at == never || now - heard_at > fresh_for || (taken - told) * 8 >= limit - told - others;
    }
};

struct alignas(64) InProcessRateLimiter::Shard {
    std::mutex mutex;
    std::unordered_map<WindowKey, Window, HashWindowKey> windows;
    std::vector<WindowKey> news;
    std::uint64_t last_number = 0;
    TimePoint next_sweep{};

    void list(const WindowKey& key, Window& window, std::size_t at_most) {
        if (window.is_news || news.size() >= at_most) return;  // when there are too many, a later request lists it
        news.push_back(key);
        window.is_news = true;
    }

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
        case RateClass::asset_reads: return asset_reads;
        case RateClass::asset_downloads: return asset_downloads;
        case RateClass::job_lists: return job_lists;
        case RateClass::job_cancellations: return job_cancellations;
        case RateClass::tileset_reads: return tileset_reads;
        case RateClass::deletions: return deletions;
        case RateClass::asset_previews: return asset_previews;
        case RateClass::asset_pictures: return asset_pictures;
        case RateClass::usage_reads: return usage_reads;
        case RateClass::operator_sign_ins: return operator_sign_ins;
        case RateClass::operator_names: return operator_names;
    }
    return 0;
}

std::string_view to_string(RateClass rate_class) {
    switch (rate_class) {
        case RateClass::plans: return "plans";
        case RateClass::account: return "account";
        case RateClass::uploads: return "uploads";
        case RateClass::job_submissions: return "job_submissions";
        case RateClass::job_reads: return "job_reads";
        case RateClass::artifact_reads: return "artifact_reads";
        case RateClass::downloads: return "downloads";
        case RateClass::tiles: return "tiles";
        case RateClass::cdn_tiles: return "cdn_tiles";
        case RateClass::failed_authentication: return "failed_authentication";
        case RateClass::asset_reads: return "asset_reads";
        case RateClass::asset_downloads: return "asset_downloads";
        case RateClass::job_lists: return "job_lists";
        case RateClass::job_cancellations: return "job_cancellations";
        case RateClass::tileset_reads: return "tileset_reads";
        case RateClass::deletions: return "deletions";
        case RateClass::asset_previews: return "asset_previews";
        case RateClass::asset_pictures: return "asset_pictures";
        case RateClass::usage_reads: return "usage_reads";
        case RateClass::operator_sign_ins: return "operator_sign_ins";
        case RateClass::operator_names: return "operator_names";
    }
    return "unknown";
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
    const TimePoint now = now_();
    RateDecision decision{.limited_class = true, .limit = limit, .window = config_.window};
    Shard& shard = shards_[HashWindowKey{}(key) % shard_count];
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
        found = shard.windows.emplace(key, Window{.opened_at = now, .number = ++shard.last_number}).first;
    } else if (!open) {
        found->second = {.opened_at = now, .number = ++shard.last_number, .is_news = found->second.is_news};
    }

    Window& window = found->second;
    decision.allowed = window.taken + window.others < limit;
    if (decision.allowed) window.taken += cost;
    decision.remaining = std::max<std::int64_t>(0, limit - window.taken - window.others);
    if (wanted_ && decision.allowed && cost > 0) {
        shard.list(key, window, max_per_shard_);
        if (window.needs_word(limit, now, fresh_for_)) wanted_();
    }
    decision.reset_after = seconds_until(window.opened_at + config_.window, now);
    return decision;
}

void InProcessRateLimiter::gather_news(std::chrono::milliseconds fresh_for, std::function<void()> wanted) {
    fresh_for_ = fresh_for;
    wanted_ = std::move(wanted);
}

std::vector<RateNews> InProcessRateLimiter::take_news(std::size_t most) {
    std::vector<RateNews> all;
    for (std::size_t visited = 0; visited < shard_count && all.size() < most; ++visited) {
        Shard& shard = shards_[next_shard_];
        const TimePoint now = now_();
        const std::lock_guard lock(shard.mutex);
        while (!shard.news.empty() && all.size() < most) {
            const WindowKey key = shard.news.back();
            shard.news.pop_back();
            const auto found = shard.windows.find(key);
            if (found == shard.windows.end()) continue;
            Window& window = found->second;
            window.is_news = false;
            const auto left =
                std::chrono::duration_cast<std::chrono::milliseconds>(window.opened_at + config_.window - now);
            if (left.count() <= 0 || window.taken == window.told) continue;  // of no use to anybody
            all.push_back({key.rate_class, key.subject, window.number, window.taken - window.told, left});
            window.told = window.taken;
        }
        if (shard.news.empty()) next_shard_ = (next_shard_ + 1) % shard_count;
    }
    return all;
}

template <typename Use>
void InProcessRateLimiter::with_window(const RateNews& news, Use use) {
    const WindowKey key{news.subject, news.rate_class};
    Shard& shard = shards_[HashWindowKey{}(key) % shard_count];
    const std::lock_guard lock(shard.mutex);
    const auto found = shard.windows.find(key);
    if (found != shard.windows.end() && found->second.number == news.window) use(shard, key, found->second);
}

void InProcessRateLimiter::give_back(const RateNews& news) {
    with_window(news, [&](Shard& shard, const WindowKey& key, Window& window) {
        window.told -= news.admitted;
        shard.list(key, window, max_per_shard_);
    });
}

void InProcessRateLimiter::learn(const RateNews& news, std::int64_t admitted_by_all,
                                 std::chrono::milliseconds closes_in) {
    const TimePoint now = now_();
    with_window(news, [&](Shard&, const WindowKey&, Window& window) {
        // Fewer than we told of: the database lost its counters, and they start anew.
        window.others = std::max<std::int64_t>(0, admitted_by_all - window.told);
        window.opened_at = std::min(now, now + closes_in - config_.window);
        window.heard_at = now;
    });
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
