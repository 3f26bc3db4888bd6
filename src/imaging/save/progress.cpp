#include "imaging/save/progress.hpp"

#include <algorithm>
#include <cmath>
#include <ctime>

namespace tessera::imaging {
namespace {

constexpr std::chrono::milliseconds tick{200};
constexpr double least_estimated = 0.1;  // seconds: what takes less is over before anyone is told

// Of all threads of this process.
double processor_seconds() {
    timespec time{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

}  // namespace

Report part_of(const Report& whole, double from, double to) {
    if (!whole) return {};
    return [whole, from, to](double share) { whole(from + (to - from) * std::clamp(share, 0.0, 1.0)); };
}

double estimated_share(double spent) {
    constexpr double sure = 0.8;
    constexpr double most = 0.99;
    if (spent <= sure) return std::max(0.0, spent);
    return most - (most - sure) / (1 + (spent - sure) / (most - sure));
}

Progress::Progress(Report report, const ExpectedTime& expected) : report_(std::move(report)), expected_(expected) {
    if (!report_) return;
    const std::lock_guard lock(mutex_);
    if (expected_.pixels > 0 || expected_.rest <= 0) {
        begin_locked(Stage::pixels, expected_.pixels);
    } else {
        begin_locked(Stage::rest, expected_.rest);
    }
    // Starting a thread takes as long as a tenth of a small picture.
    if (expected_.pixels + expected_.rest >= least_estimated) thread_.emplace([this] { estimate(); });
}

Progress::~Progress() {
    {
        const std::lock_guard lock(mutex_);
        ending_ = true;
    }
    wake_.notify_all();
    if (thread_) thread_->join();
}

void Progress::pixels(double share) {
    const std::lock_guard lock(mutex_);
    if (!report_ || stage_ != Stage::pixels) return;
    if (!tells_itself_) begun_at_ = told_;
    tells_itself_ = true;
    tell_locked(share);
}

void Progress::pixels_are_there() {
    const std::lock_guard lock(mutex_);
    if (report_ && stage_ == Stage::pixels && expected_.rest > 0) begin_locked(Stage::rest, expected_.rest);
}

void Progress::rest(double share) {
    const std::lock_guard lock(mutex_);
    if (!report_) return;
    if (stage_ == Stage::pixels) begin_locked(Stage::rest, 0);
    if (!tells_itself_) begun_at_ = told_;
    tells_itself_ = true;
    tell_locked(share);
}

void Progress::begin_locked(Stage stage, double expected_seconds) {
    stage_ = stage;
    tells_itself_ = false;
    begun_at_ = told_;
    const bool is_last = stage == Stage::rest || expected_.rest <= 0;
    ends_at_ = is_last ? 1 : expected_.pixels / (expected_.pixels + expected_.rest);
    expected_seconds_ = expected_seconds;
    spent_before_ = processor_seconds();
}

void Progress::tell_locked(double share_of_stage) {
    const double now = begun_at_ + (ends_at_ - begun_at_) * std::clamp(share_of_stage, 0.0, 1.0);
    if (now <= told_) return;
    told_ = now;
    report_(now);
}

void Progress::estimate() {
    std::unique_lock lock(mutex_);
    while (!wake_.wait_for(lock, tick, [this] { return ending_; })) {
        if (tells_itself_ || expected_seconds_ <= 0) continue;
        tell_locked(estimated_share((processor_seconds() - spent_before_) / expected_seconds_));
    }
}

}  // namespace tessera::imaging
