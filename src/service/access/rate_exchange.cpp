#include "service/access/rate_exchange.hpp"

#include <string>
#include <vector>

#include "core/hex.hpp"
#include "core/log.hpp"
#include "metadata/rate_counters.hpp"
#include "service/access/in_process_rate_limiter.hpp"

namespace tessera::service {
namespace {

constexpr std::size_t most_at_once = 2'000;  // windows in one statement

metadata::RateDelta delta_of(const RateNews& news) {
    return {std::string(to_string(news.rate_class)) + ":" + to_hex(news.subject.bytes()), news.admitted,
            news.closes_in};
}

}  // namespace

RateExchange::RateExchange(InProcessRateLimiter& limiter, metadata::RateCounters& counters)
    : RateExchange(limiter, counters, Pace{}) {}

RateExchange::RateExchange(InProcessRateLimiter& limiter, metadata::RateCounters& counters, Pace pace)
    : limiter_(limiter), counters_(counters), pace_(pace) {
    limiter_.gather_news(pace_.interval, [this] { hurry(); });
}

RateExchange::~RateExchange() {
    stop();
}

void RateExchange::start() {
    if (thread_.joinable()) return;
    thread_ = std::jthread([this](const std::stop_token& stop) { work(stop); });
}

void RateExchange::stop() {
    if (!thread_.joinable()) return;
    thread_.request_stop();
    thread_.join();
    thread_ = {};
    if (const auto ok = exchange(); !ok) log::warning("rate_limits_not_shared", {{"detail", ok.error().detail}});
}

// On the thread of a request: a lock that is held for an instant, never while the database is asked.
void RateExchange::hurry() {
    {
        const std::lock_guard lock(mutex_);
        if (urgent_) return;
        urgent_ = true;
    }
    wakes_.notify_one();
}

void RateExchange::work(const std::stop_token& stop) {
    bool failed = false;
    std::unique_lock lock(mutex_);
    while (true) {
        wakes_.wait_for(lock, stop, failed ? pace_.after_failure : pace_.shortest, [] { return false; });
        if (!failed) wakes_.wait_for(lock, stop, pace_.interval - pace_.shortest, [&] { return urgent_; });
        if (stop.stop_requested()) return;
        urgent_ = false;
        lock.unlock();
        const auto exchanged = exchange();
        if (!exchanged && !failed) log::warning("rate_limits_not_shared", {{"detail", exchanged.error().detail}});
        if (exchanged && failed) log::info("rate_limits_shared_again", {});
        failed = !exchanged;
        lock.lock();
    }
}

Result<void> RateExchange::exchange() {
    while (true) {
        const std::vector<RateNews> news = limiter_.take_news(most_at_once);
        if (news.empty()) return {};
        std::vector<metadata::RateDelta> deltas;
        deltas.reserve(news.size());
        for (const RateNews& one : news) deltas.push_back(delta_of(one));
        const auto totals = counters_.add(deltas);
        if (!totals) {
            for (const RateNews& one : news) limiter_.give_back(one);
            return totals.error();
        }
        for (std::size_t i = 0; i < news.size(); ++i) {
            limiter_.learn(news[i], (*totals)[i].count, (*totals)[i].ends_in);
        }
        if (news.size() < most_at_once) return {};
    }
}

}  // namespace tessera::service
