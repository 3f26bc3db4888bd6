// Carries what was delivered to the public from memory to the ledger, every few seconds and at the end: never a write
// per tile.
#pragma once

#include <cstdint>
#include <mutex>
#include <unordered_map>

#include "core/clock.hpp"
#include "core/periodic_thread.hpp"
#include "core/result.hpp"
#include "core/uuid.hpp"

namespace tessera::metadata {
class Store;
}

namespace tessera::service {

class OpenTilesets;

class DeliveryMeter {
  public:
    DeliveryMeter(OpenTilesets& tilesets, metadata::Store& store, Millis interval = Millis(5'000));
    DeliveryMeter(const DeliveryMeter&) = delete;
    DeliveryMeter& operator=(const DeliveryMeter&) = delete;
    ~DeliveryMeter();  // stop()

    void start();
    void stop();  // with a last flush; safe twice

    // Bytes that were sent of something else than tilesets.
    void add(const Uuid& account, std::size_t bytes);

    // What could not be written is kept for the next time.
    Result<void> flush();

  private:
    OpenTilesets& tilesets_;
    metadata::Store& store_;
    const Millis interval_;
    std::mutex mutex_;
    std::unordered_map<Uuid, std::uint64_t> unwritten_;
    std::mutex added_mutex_;  // never held while anything is written
    std::unordered_map<Uuid, std::uint64_t> added_;
    PeriodicThread thread_;
};

}  // namespace tessera::service
