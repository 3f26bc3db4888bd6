// Numbers for /metrics that have to be asked for, of the database, the disks and the kernel: asked every few seconds by
// a thread of its own, so that a scrape waits for nothing and is answered while the database is away.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "app/process_use.hpp"
#include "app/stores.hpp"
#include "metadata/jobs.hpp"
#include "metadata/usage.hpp"
#include "metadata/webhooks.hpp"

namespace tessera::metadata {
class Store;
}

namespace tessera::app {

struct DiskUse {
    std::string folder;
    double free_bytes = 0;
    double size_bytes = 0;
};

// What could not be learnt is left out.
struct Sample {
    std::optional<metadata::JobCounts> jobs;
    std::optional<metadata::StorageUse> storage;
    std::optional<metadata::WebhookCounts> webhooks;
    std::vector<DiskUse> disks;
    std::optional<ProcessUse> process;
};

class Sampler {
  public:
    // Has a first sample when it is made.
    Sampler(metadata::Store& store, std::vector<DiskFolder> folders);
    Sampler(const Sampler&) = delete;
    Sampler& operator=(const Sampler&) = delete;
    ~Sampler();

    [[nodiscard]] Sample latest() const;

  private:
    void run();
    [[nodiscard]] Sample take() const;

    metadata::Store& store_;
    const std::vector<DiskFolder> folders_;
    mutable std::mutex mutex_;
    std::condition_variable wake_;
    bool stopping_ = false;
    Sample sample_;
    std::thread thread_;
};

}  // namespace tessera::app
