#include "app/sampler.hpp"

#include <pthread.h>
#include <sys/statvfs.h>

#include <algorithm>

#include "metadata/store.hpp"

namespace tessera::app {
namespace {

using Steady = std::chrono::steady_clock;

constexpr Steady::duration shortest_pause = std::chrono::seconds(2);
constexpr Steady::duration longest_pause = std::chrono::minutes(1);
// Of the time at most one part in so many is spent on asking: counting a queue of millions takes its time.
constexpr int pause_per_work = 50;

std::optional<DiskUse> use_of(const DiskFolder& folder) {
    struct statvfs disk {};
    if (::statvfs(folder.path.c_str(), &disk) != 0) return std::nullopt;
    const auto block = static_cast<double>(disk.f_frsize);
    return DiskUse{folder.name, static_cast<double>(disk.f_bavail) * block, static_cast<double>(disk.f_blocks) * block};
}

}  // namespace

Sampler::Sampler(metadata::Store& store, std::vector<DiskFolder> folders)
    : store_(store), folders_(std::move(folders)), sample_(take()), thread_([this] { run(); }) {}

Sampler::~Sampler() {
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
    }
    wake_.notify_all();
    thread_.join();
}

Sample Sampler::latest() const {
    const std::lock_guard lock(mutex_);
    return sample_;
}

Sample Sampler::take() const {
    Sample sample;
    if (auto counts = store_.jobs().counts()) sample.jobs = *counts;
    if (auto use = store_.usage().storage_of_all()) sample.storage = *use;
    if (auto counts = store_.webhooks().counts()) sample.webhooks = *counts;
    for (const DiskFolder& folder : folders_) {
        if (auto use = use_of(folder)) sample.disks.push_back(*std::move(use));
    }
    sample.process = use_of_this_process();
    return sample;
}

void Sampler::run() {
    pthread_setname_np(pthread_self(), "sampler");
    Steady::duration pause = shortest_pause;
    std::unique_lock lock(mutex_);
    while (!wake_.wait_for(lock, pause, [this] { return stopping_; })) {
        lock.unlock();
        const auto begun = Steady::now();
        Sample sample = take();
        pause = std::clamp((Steady::now() - begun) * pause_per_work, shortest_pause, longest_pause);
        lock.lock();
        sample_ = std::move(sample);
    }
}

}  // namespace tessera::app
