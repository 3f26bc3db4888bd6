#include "service/access/rate_slices.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace tessera::service {
namespace {

constexpr std::int64_t smallest_limit = 1024;  // beyond all that the interface gives
constexpr std::int64_t often = 64;             // requests in a window, before a slice is worth its memory
constexpr std::int64_t parts = 64;             // of what is left, one of which is a slice
constexpr std::int64_t largest_slice = 256;
constexpr std::chrono::milliseconds freshness{100};  // what a thread says of the window is no older

}  // namespace

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

std::optional<std::int64_t> RateSlice::spend() {
    std::int64_t now = left.load(std::memory_order_relaxed);
    while (now > 0) {
        if (left.compare_exchange_weak(now, now - 1, std::memory_order_relaxed)) return now - 1;
    }
    return std::nullopt;
}

std::int64_t RateSlices::unspent() const {
    std::int64_t sum = 0;
    for (const Owned& owned : slices_) sum += owned.slice->left.load(std::memory_order_relaxed);
    return sum;
}

std::int64_t RateSlices::take_back() {
    std::int64_t sum = 0;
    for (const Owned& owned : slices_) sum += owned.slice->left.exchange(0, std::memory_order_relaxed);
    return sum;
}

std::shared_ptr<RateSlice> RateSlices::of_this_thread() {
    const auto me = std::this_thread::get_id();
    const auto own = std::ranges::find(slices_, me, &Owned::thread);
    if (own != slices_.end()) return own->slice;
    return slices_.emplace_back(Owned{me, std::make_shared<RateSlice>()}).slice;
}

bool RateSlices::are_for(std::int64_t limit) {
    return limit >= smallest_limit;
}

std::int64_t RateSlices::worth_taking(std::int64_t limit, std::int64_t taken, std::int64_t remaining) {
    if (!are_for(limit) || taken < often) return 0;
    return std::min(remaining / parts, largest_slice);
}

std::optional<ThreadRateSlices::Spent> ThreadRateSlices::spend(const WindowKey& key, TimePoint now) {
    const Kept& kept = slot_of(key);
    if (!kept.slice || now >= kept.fresh_until || kept.key != key) return std::nullopt;
    const auto left = kept.slice->spend();
    if (!left) return std::nullopt;
    return Spent{kept.beside_it + *left, kept.closes_at};
}

void ThreadRateSlices::keep(const WindowKey& key, std::shared_ptr<RateSlice> slice, std::int64_t beside_it,
                            TimePoint closes_at, TimePoint now) {
    slot_of(key) = {key, std::move(slice), beside_it, closes_at, std::min(closes_at, now + freshness)};
}

}  // namespace tessera::service
