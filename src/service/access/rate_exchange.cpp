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
    limiter_.gather_news(pace_.interval, [this] { thread_.wake(); });
}

RateExchange::~RateExchange() {
    stop();
}

void RateExchange::start() {
    thread_.start("rate-exchange", {pace_.interval, pace_.shortest},
                  [this](const std::stop_token&) { return exchange_and_rest(); });
}

void RateExchange::stop() {
    if (!thread_.stop()) return;
    if (const auto ok = exchange(); !ok) log::warning("rate_limits_not_shared", {{"detail", ok.error().detail}});
}

PeriodicThread::Rest RateExchange::exchange_and_rest() {
    const auto exchanged = exchange();
    if (!exchanged && !failed_) log::warning("rate_limits_not_shared", {{"detail", exchanged.error().detail}});
    if (exchanged && failed_) log::info("rate_limits_shared_again", {});
    failed_ = !exchanged;
    if (failed_) return {pace_.after_failure, pace_.after_failure};
    return {pace_.interval, pace_.shortest};
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
