#include "telemetry/exporter.hpp"

#include <pthread.h>

#include <algorithm>
#include <random>
#include <utility>

#include "core/log.hpp"

namespace tessera::telemetry {
namespace {

double a_tenth_more_or_less() {
    thread_local std::minstd_rand generator(std::random_device{}());
    return std::uniform_real_distribution<double>(0.9, 1.1)(generator);
}

}  // namespace

Exporter::Exporter(TracesConfig config, Resource resource, Send send)
    : config_(std::move(config)), resource_(std::move(resource)), send_(std::move(send)) {}

Exporter::~Exporter() {
    stop();
}

void Exporter::start() {
    thread_ = std::thread([this] { work(); });
}

void Exporter::stop() {
    if (!thread_.joinable()) return;
    {
        const std::lock_guard lock(mutex_);
        end_by_ = Steady::now() + config_.stop_timeout;
    }
    changed_.notify_all();
    thread_.join();
}

void Exporter::add(Span span) {
    bool is_full = false;
    bool is_news = false;
    {
        const std::lock_guard lock(mutex_);
        is_full = waiting_.size() >= config_.queue_spans;
        if (!is_full) waiting_.push_back(std::move(span));
        is_news = waiting_.size() == 1 || waiting_.size() == config_.batch_spans;
    }
    if (is_full) drop(meters_.queue_full, 1);
    if (is_news) changed_.notify_one();
}

// One line for all that are dropped, until none are.
void Exporter::drop(Counter& counter, std::size_t spans) {
    counter.add(spans);
    {
        const std::lock_guard lock(mutex_);
        dropped_lately_ = true;
        if (std::exchange(told_of_drops_, true)) return;
    }
    log::warning("traces.dropped", {{"meaning", "spans are lost; tessera_trace_spans_total counts them"}});
}

void Exporter::work() {
    pthread_setname_np(pthread_self(), "traces");
    while (true) {
        const std::vector<Span> batch = next_batch();
        if (batch.empty()) return;
        send(batch);
    }
}

// Empty at the end.
std::vector<Span> Exporter::next_batch() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return end_by_ || !waiting_.empty(); });
    changed_.wait_for(lock, config_.interval, [&] { return end_by_ || waiting_.size() >= config_.batch_spans; });
    const std::size_t count = std::min(waiting_.size(), config_.batch_spans);
    const auto behind = waiting_.begin() + static_cast<std::ptrdiff_t>(count);
    std::vector<Span> batch(std::make_move_iterator(waiting_.begin()), std::make_move_iterator(behind));
    waiting_.erase(waiting_.begin(), behind);
    return batch;
}

void Exporter::send(std::span<const Span> batch) {
    const std::string body = otlp_json(resource_, batch);
    for (int attempts = 1;; ++attempts) {
        if (is_over()) return drop(meters_.given_up, batch.size());
        const Answer answer = send_(body, time_for_attempt(), [this] { return is_over(); });
        const Fate fate = fate_of(answer);
        if (fate == Fate::sent) {
            const auto rejected = static_cast<std::size_t>(
                std::clamp<std::int64_t>(rejected_in(answer.body), 0, static_cast<std::int64_t>(batch.size())));
            meters_.sent.add(batch.size() - rejected);
            tell_of_success();
            if (rejected > 0) drop(meters_.refused, rejected);
            return;
        }
        tell_of_trouble(answer);
        if (fate == Fate::refused) return drop(meters_.refused, batch.size());
        if (attempts == config_.most_attempts || !rest(pause_after(attempts, answer)))
            return drop(meters_.given_up, batch.size());
    }
}

Millis Exporter::pause_after(int attempts, const Answer& answer) const {
    if (const auto wanted = wanted_pause(answer.retry_after, SystemClock().now(), config_.longest_pause))
        return *wanted;
    const Millis pause = std::min(config_.first_pause * (1 << std::min(attempts - 1, 20)), config_.longest_pause);
    return std::chrono::duration_cast<Millis>(pause * a_tenth_more_or_less());
}

bool Exporter::is_over() {
    const std::lock_guard lock(mutex_);
    return end_by_ && Steady::now() >= *end_by_;
}

Millis Exporter::time_for_attempt() {
    const std::lock_guard lock(mutex_);
    if (!end_by_) return config_.timeout;
    return std::clamp(std::chrono::duration_cast<Millis>(*end_by_ - Steady::now()), Millis(1), config_.timeout);
}

// A stop cuts the pause short: what is left is tried once more.
bool Exporter::rest(Millis pause) {
    std::unique_lock lock(mutex_);
    if (end_by_) return false;
    changed_.wait_for(lock, pause, [&] { return end_by_.has_value(); });
    return true;
}

void Exporter::tell_of_trouble(const Answer& answer) {
    if (std::exchange(told_of_trouble_, true)) return;
    log::warning("traces.not_sent",
                 {{"endpoint", config_.endpoint}, {"status", answer.status.value_or(0)}, {"detail", answer.detail}});
}

void Exporter::tell_of_success() {
    if (std::exchange(told_of_trouble_, false)) log::info("traces.sent_again", {{"endpoint", config_.endpoint}});
    const std::lock_guard lock(mutex_);
    if (!std::exchange(dropped_lately_, false)) told_of_drops_ = false;
}

}  // namespace tessera::telemetry
