#include "service/delivery/delivery_meter.hpp"

#include <vector>

#include "core/log.hpp"
#include "metadata/store.hpp"
#include "metadata/usage.hpp"
#include "service/delivery/open_tilesets.hpp"

namespace tessera::service {

DeliveryMeter::DeliveryMeter(OpenTilesets& tilesets, metadata::Store& store, Millis interval)
    : tilesets_(tilesets), store_(store), interval_(interval) {}

DeliveryMeter::~DeliveryMeter() {
    stop();
}

void DeliveryMeter::start() {
    thread_.start("delivery-meter", interval_, [this](const std::stop_token&) {
        if (const auto ok = flush(); !ok) {
            log::warning("deliveries_not_counted_yet", {{"detail", ok.error().detail}});
        }
        return interval_;
    });
}

void DeliveryMeter::stop() {
    if (!thread_.stop()) return;
    if (const auto ok = flush(); !ok) log::error("deliveries_not_counted", {{"detail", ok.error().detail}});
}

void DeliveryMeter::add(const Uuid& account, std::size_t bytes) {
    const std::lock_guard lock(added_mutex_);
    added_[account] += bytes;
}

Result<void> DeliveryMeter::flush() {
    const std::lock_guard lock(mutex_);
    {
        const std::lock_guard adding(added_mutex_);
        for (const auto& [account, bytes] : added_) unwritten_[account] += bytes;
        added_.clear();
    }
    for (const auto& [account, bytes] : tilesets_.take_delivered()) unwritten_[account] += bytes;
    if (unwritten_.empty()) return {};
    std::vector<metadata::DeliveredBytes> delivered;
    delivered.reserve(unwritten_.size());
    for (const auto& [account, bytes] : unwritten_) delivered.push_back({account, static_cast<std::int64_t>(bytes)});
    auto written = store_.usage().add_delivered_bytes(delivered);
    if (written) unwritten_.clear();
    return written;
}

}  // namespace tessera::service
