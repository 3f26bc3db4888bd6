#include "service/operators/eraser.hpp"

#include <unistd.h>

#include <stdexcept>

#include "core/log.hpp"
#include "core/random.hpp"
#include "metadata/erasure.hpp"
#include "metadata/maintenance.hpp"
#include "metadata/store.hpp"
#include "service/access/erase_account.hpp"

namespace tessera::service {
namespace {

constexpr std::string_view lease_name = "eraser";
constexpr Millis lease_duration{30'000};
constexpr Millis renew_lease_after{10'000};
constexpr Millis rest{60'000};
constexpr Millis rest_while_another_erases{10'000};

struct Interrupted : std::exception {};

}  // namespace

Eraser::Eraser(metadata::Store& store, blobs::BlobStore& blobs)
    : store_(store), blobs_(blobs), name_("eraser:" + std::to_string(::getpid()) + ":" + random_token(8)) {}

Eraser::~Eraser() {
    stop();
}

void Eraser::start() {
    thread_.start("eraser", Millis(0), [this](const std::stop_token& stop) { return erase_all(stop); });
}

Result<Account> Eraser::begin(const Uuid& account_id) {
    auto begun = store_.erasure().begin(account_id);
    if (begun && !begun->erased_at) thread_.wake();
    return begun;
}

void Eraser::stop() {
    if (!thread_.stop()) return;
    const auto dropped = store_.maintenance().drop_lease(lease_name, name_);
    if (!dropped) log::warning("eraser.lease_not_dropped", {{"detail", dropped.error().detail}});
}

Millis Eraser::erase_all(const std::stop_token& stop) {
    while (!stop.stop_requested()) {
        const auto unfinished = store_.erasure().unfinished();
        if (!unfinished) {
            log::warning("eraser.failed", {{"detail", unfinished.error().detail}});
            return rest;
        }
        if (unfinished->empty()) return rest;
        if (!holds_lease()) return rest_while_another_erases;
        bool any = false;
        for (const Uuid& account_id : *unfinished) {
            if (stop.stop_requested()) return rest;
            any = erase(account_id, stop) || any;
        }
        if (!any) return rest;  // what fails is tried again later; otherwise others may have been begun meanwhile
    }
    return rest;
}

bool Eraser::erase(const Uuid& account_id, const std::stop_token& stop) {
    try {
        const auto erased = erase_account(store_, blobs_, account_id, [&](const ErasureReport&) {
            if (stop.stop_requested()) throw Interrupted();
            // Without it another node may begin to erase the same account, which does no harm.
            if (std::chrono::steady_clock::now() - held_at_ >= renew_lease_after) (void)holds_lease();
        });
        if (erased) return true;
        log::error("erasure_failed", {{"account", account_id.to_string()}, {"detail", erased.error().detail}});
    } catch (const Interrupted&) {
        log::info("erasure_interrupted", {{"account", account_id.to_string()}});
    } catch (const std::exception& thrown) {
        log::error("erasure_failed", {{"account", account_id.to_string()}, {"detail", thrown.what()}});
    }
    return false;
}

bool Eraser::holds_lease() {
    const auto held = store_.maintenance().hold_lease(lease_name, name_, lease_duration);
    held_at_ = std::chrono::steady_clock::now();
    return held && *held;
}

}  // namespace tessera::service
