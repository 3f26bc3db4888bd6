#include "app/backup/keep_blobs.hpp"

#include <unistd.h>

#include <chrono>

#include "app/command_failed.hpp"
#include "core/random.hpp"
#include "metadata/maintenance.hpp"

namespace tessera::app {
namespace {

using Steady = std::chrono::steady_clock;

constexpr Millis duration{60'000};
constexpr Millis renewal{10'000};

}  // namespace

KeepBlobs::KeepBlobs(metadata::Maintenance& maintenance)
    : maintenance_(maintenance), holder_(std::to_string(::getpid()) + ":" + random_token(8)) {
    kept_until_ = Steady::now() + duration;
    must(maintenance_.keep_blobs(holder_, duration));
    thread_.start("keep-blobs", renewal, [this](const std::stop_token&) {
        renew();
        return renewal;
    });
}

KeepBlobs::~KeepBlobs() {
    thread_.stop();
    (void)maintenance_.let_blobs_go(holder_);  // ends by itself otherwise
}

void KeepBlobs::renew() {
    const auto asked = Steady::now();
    // A process that stood still may have slept through its end.
    if (asked >= kept_until_.load()) was_lost_ = true;
    if (maintenance_.keep_blobs(holder_, duration)) kept_until_ = asked + duration;
}

Result<void> KeepBlobs::held_throughout() const {
    if (!was_lost_ && Steady::now() < kept_until_.load()) return {};
    return Error{ErrorCode::storage_unavailable,
                 "the database could not be reached for a minute, and files may have been deleted meanwhile: run it "
                 "again",
                 {}};
}

}  // namespace tessera::app
