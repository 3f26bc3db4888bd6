#include "service/upkeep/sweeper.hpp"

#include <unistd.h>

#include <algorithm>
#include <vector>

#include "blobs/blob_store.hpp"
#include "core/log.hpp"
#include "core/random.hpp"
#include "metadata/daily_use.hpp"
#include "metadata/maintenance.hpp"
#include "metadata/store.hpp"
#include "service/upkeep/sweep_meters.hpp"

namespace tessera::service {
namespace {

constexpr std::string_view lease_name = "sweeper";
// Short, so that another node soon sweeps for one that died; whoever has it renews it, at work and at rest.
constexpr Millis lease_duration{30'000};
constexpr Millis renew_lease_after{10'000};
constexpr std::size_t scan_page = 500;

// What was removed before a sweep was given up is removed all the same.
void note(const SweepReport& report, bool ended_well, const Clock& clock) {
    SweepMeters& meters = sweep_meters();
    meters.rows.add(static_cast<std::uint64_t>(report.rows));
    meters.jobs.add(static_cast<std::uint64_t>(report.jobs));
    meters.blobs.add(static_cast<std::uint64_t>(report.blobs));
    meters.unfinished.add(static_cast<std::uint64_t>(report.unfinished));
    if (ended_well) {
        meters.last_ended = clock.now().time_since_epoch() / Millis(1);
    } else {
        meters.failures.add();
    }
}

}  // namespace

SweepMeters& sweep_meters() {
    static SweepMeters meters;
    return meters;
}

Sweeper::Sweeper(metadata::Store& store, blobs::BlobStore& blobs, const Clock& clock, SweeperConfig config)
    : store_(store),
      blobs_(blobs),
      clock_(clock),
      config_(config),
      name_("sweeper:" + std::to_string(::getpid()) + ":" + random_token(8)) {}

Sweeper::~Sweeper() {
    stop();
}

void Sweeper::start() {
    due_ = Steady::now() + config_.interval;
    thread_.start("sweeper", config_.interval, [this](const std::stop_token& stop) { return sweep_or_renew(stop); });
}

void Sweeper::stop() {
    if (!thread_.stop()) return;
    const auto dropped = store_.maintenance().drop_lease(lease_name, name_);
    if (!dropped) log::warning("sweeper.lease_not_dropped", {{"detail", dropped.error().detail}});
}

Millis Sweeper::sweep_or_renew(const std::stop_token& stop) {
    if (Steady::now() < due_) {
        (void)hold_lease();
    } else {
        const auto report = sweep(stop);
        due_ = Steady::now() + config_.interval;
        if (!report) {
            log::warning("sweeper.failed", {{"detail", report.error().detail}});
        } else if (*report && (*report)->total() > 0) {
            log::info("sweeper.swept", {{"rows", (*report)->rows},
                                        {"jobs", (*report)->jobs},
                                        {"days", (*report)->days},
                                        {"blobs", (*report)->blobs},
                                        {"orphans", (*report)->orphans},
                                        {"unfinished", (*report)->unfinished}});
        }
    }
    const auto next = ours_ ? std::min(due_, held_at_ + renew_lease_after) : due_;
    return std::max(Millis(0), std::chrono::ceil<Millis>(next - Steady::now()));
}

Result<std::optional<SweepReport>> Sweeper::sweep(const std::stop_token& stop) {
    const auto ours = hold_lease();
    if (ours && !*ours) return std::optional<SweepReport>();
    SweepReport report;
    const auto steps = [&]() -> Result<void> {
        if (auto ok = remove_rows(report, stop); !ok) return ok;
        if (auto ok = remove_jobs(report, stop); !ok) return ok;
        if (auto ok = forget_days(report, stop); !ok) return ok;
        if (auto ok = find_orphans(report, stop); !ok) return ok;
        return delete_blobs(report, stop);
    };
    const Result<void> done = ours ? steps() : ours.error();
    note(report, done.ok(), clock_);
    if (!done) return done.error();
    return std::optional(report);
}

Result<bool> Sweeper::hold_lease() {
    auto held = store_.maintenance().hold_lease(lease_name, name_, lease_duration);
    held_at_ = Steady::now();
    ours_ = held && *held;
    return held;
}

bool Sweeper::is_still_ours() {
    if (Steady::now() - held_at_ >= renew_lease_after) (void)hold_lease();
    return ours_;
}

Result<void> Sweeper::remove_rows(SweepReport& report, const std::stop_token& stop) {
    const metadata::Sweep sweep{config_.batch, config_.keep_old_versions, config_.keep_blobs};
    while (!stop.stop_requested()) {
        auto count = store_.maintenance().remove_expired(sweep);
        if (!count) return std::move(count).error();
        if (*count == 0) return {};
        report.rows += *count;
        if (!is_still_ours()) return {};
    }
    return {};
}

Result<void> Sweeper::remove_jobs(SweepReport& report, const std::stop_token& stop) {
    while (!stop.stop_requested()) {
        auto count = store_.maintenance().remove_ended_jobs(clock_.now() - config_.ended_jobs, config_.batch);
        if (!count) return std::move(count).error();
        if (*count == 0) return {};
        report.jobs += *count;
        if (!is_still_ours()) return {};
    }
    return {};
}

Result<void> Sweeper::forget_days(SweepReport& report, const std::stop_token& stop) {
    const auto first = std::chrono::floor<std::chrono::days>(clock_.now() - config_.daily_usage);
    while (!stop.stop_requested()) {
        auto count = store_.daily_use().forget_before(first, config_.batch);
        if (!count) return std::move(count).error();
        if (*count == 0) return {};
        report.days += *count;
        if (!is_still_ours()) return {};
    }
    return {};
}

Result<void> Sweeper::delete_blobs(SweepReport& report, const std::stop_token& stop) {
    while (!stop.stop_requested()) {
        auto keys = store_.maintenance().begin_blob_deletion(config_.batch);
        if (!keys) return std::move(keys).error();
        if (keys->empty()) return {};
        std::vector<std::string> deleted;
        for (const std::string& text : *keys) {
            (void)is_still_ours();  // what was begun is finished in any case: two that delete do no harm
            const auto key = blobs::BlobKey::parse(text);
            const auto removed = key ? blobs_.remove(*key) : Result<void>();
            if (removed) {
                deleted.push_back(text);
            } else {
                log::warning("sweeper.blob_not_deleted", {{"key", text}, {"detail", removed.error().detail}});
            }
        }
        if (auto ok = store_.maintenance().finish_blob_deletion(deleted); !ok) return ok;
        report.blobs += static_cast<std::int64_t>(deleted.size());
        if (deleted.empty()) return {};  // the store is not well; those keys come again later
        if (!is_still_ours()) return {};
    }
    return {};
}

// Compares all blobs with the rows, page by page: the only way to find what was written just before a crash.
Result<void> Sweeper::find_orphans(SweepReport& report, const std::stop_token& stop) {
    const auto now = std::chrono::steady_clock::now();
    if (scanned_at_ && now - *scanned_at_ < config_.orphan_scan_interval) return {};
    std::optional<std::string> from;
    do {
        auto page = blobs_.list("", from, scan_page);
        if (!page) return std::move(page).error();
        std::vector<std::string> old;
        for (const blobs::BlobEntry& entry : page->entries) {
            if (entry.modified_at + config_.orphan_age <= clock_.now()) old.push_back(entry.key.text());
        }
        if (!old.empty()) {
            auto unnamed = store_.maintenance().unnamed(old);
            if (!unnamed) return std::move(unnamed).error();
            if (auto ok = store_.maintenance().add_garbage(*unnamed, Millis(0)); !ok) return ok;
            report.orphans += static_cast<std::int64_t>(unnamed->size());
        }
        from = page->next;
        if (!is_still_ours()) return {};
    } while (from && !stop.stop_requested());
    if (from) return {};
    scanned_at_ = now;
    const auto unfinished = blobs_.remove_unfinished(clock_.now() - config_.orphan_age);
    if (!unfinished) {
        log::warning("sweeper.unfinished_not_removed", {{"detail", unfinished.error().detail}});
    } else {
        report.unfinished += *unfinished;
    }
    return {};
}

}  // namespace tessera::service
