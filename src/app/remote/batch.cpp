#include "app/remote/batch.hpp"

#include <utility>

namespace tessera::remote {
namespace {

constexpr Millis beat{200};
constexpr std::size_t ahead_of_jobs = 16;  // files that are uploaded while others' jobs run

}  // namespace

void tell_what_is_waited_for(const Calls& calls, Totals& totals) {
    totals.waits_for.clear();
    totals.held.reset();
    if (!calls.trouble().empty()) {
        totals.waits_for = "the service: " + calls.trouble();
    } else if (const auto held = calls.held(std::chrono::steady_clock::now())) {
        totals.waits_for = "the rate limit of " + std::string(name_of(held->lane)) + ", " + time_text(held->left);
        if (held->pace) totals.held = Totals::Held{held->left, held->pace->limit, held->pace->window};
    }
}

Batch::Batch(Calls& calls, Transfers& transfers, const Service& service, Journal& journal, Uploads& uploads,
             const Order& order, Watcher watcher)
    : calls_(calls),
      transfers_(transfers),
      watcher_(std::move(watcher)),
      slots_(order.most_jobs),
      shared_{calls,
              service,
              journal,
              uploads,
              slots_,
              order,
              [this](const Refusal& why) {
                  if (!outcome_.stopped_by) outcome_.stopped_by = why;
                  calls_.close(Lane::uploads);
                  calls_.close(Lane::submissions);
              },
              [this] { return outcome_.stopped_by.has_value(); }},
      most_active_(order.most_jobs + ahead_of_jobs) {}

void Batch::begin_more() {
    while (next_ < works_.size() && active_.size() < most_active_ && !outcome_.stopped_by && !watcher_.interrupted()) {
        active_.push_back(std::make_unique<FileJob>(shared_, works_[next_++]));
        active_.back()->begin();
        if (active_.back()->ended()) sweep();
    }
}

void Batch::sweep() {
    std::erase_if(active_, [this](const std::unique_ptr<FileJob>& job) {
        if (!job->ended()) return false;
        const FileReport& report = job->report();
        Totals& totals = outcome_.totals;
        if (report.ending == Ending::done) ++totals.done;
        if (report.ending == Ending::skipped) ++totals.skipped;
        if (report.ending == Ending::failed) ++totals.failed;
        if (report.ending != Ending::left) watcher_.ended(report);
        return true;
    });
}

Totals Batch::totals() const {
    Totals totals = outcome_.totals;
    totals.jobs = slots_.taken();
    totals.sent_bytes = transfers_.sent_bytes();
    totals.received_bytes = transfers_.received_bytes();
    totals.elapsed = std::chrono::duration_cast<Millis>(std::chrono::steady_clock::now() - begun_at_);
    tell_what_is_waited_for(calls_, totals);
    return totals;
}

Batch::Outcome Batch::run(std::vector<Work> works) {
    works_ = std::move(works);
    outcome_.totals.files = works_.size();
    begun_at_ = std::chrono::steady_clock::now();
    while (true) {
        begin_more();
        sweep();
        if (watcher_.interrupted()) {
            outcome_.interrupted = true;
            calls_.abandon();
            break;
        }
        if (active_.empty() && (next_ == works_.size() || outcome_.stopped_by)) break;
        calls_.step(beat);
        sweep();
        watcher_.moved(totals());
    }
    outcome_.totals = totals();
    return std::move(outcome_);
}

}  // namespace tessera::remote
