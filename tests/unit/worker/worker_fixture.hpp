// A worker on real stores (SQLite, files) with an engine that does what the test says.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

#include "blobs/blob_store.hpp"
#include "blobs/filesystem/filesystem_store.hpp"
#include "core/clock.hpp"
#include "engine/host/task.hpp"
#include "metadata/accounts.hpp"
#include "metadata/assets.hpp"
#include "metadata/jobs.hpp"
#include "metadata/plans.hpp"
#include "metadata/store.hpp"
#include "metadata/usage.hpp"
#include "operations/registry.hpp"
#include "support/eventually.hpp"
#include "support/temporary_folder.hpp"
#include "worker/worker.hpp"

namespace tessera::worker {

class TestEngine final : public engine::Runner {
  public:
    using Behaviour = std::function<Result<engine::Outcome, JobError>(const engine::Task&)>;

    explicit TestEngine(std::filesystem::path scratch) : scratch_(std::move(scratch)) {
        std::filesystem::create_directories(scratch_);
    }

    Result<engine::Outcome, JobError> run(const engine::Task& task) override {
        const int now = ++running_;
        int most = most_running_;
        while (now > most && !most_running_.compare_exchange_weak(most, now)) {
        }
        ++runs_;
        auto outcome = behaviour ? behaviour(task) : make("made by the test");
        --running_;
        return outcome;
    }

    // One artifact with these bytes.
    Result<engine::Outcome, JobError> make(const std::string& bytes) const;

    Behaviour behaviour;  // set before the worker starts
    [[nodiscard]] int runs() const { return runs_; }
    [[nodiscard]] int most_running() const { return most_running_; }
    [[nodiscard]] int running() const { return running_; }

  private:
    std::filesystem::path scratch_;
    std::atomic<int> running_{0};
    std::atomic<int> most_running_{0};
    std::atomic<int> runs_{0};
};

// The real time, moved by what the test says.
class OffsetClock final : public Clock {
  public:
    [[nodiscard]] Timestamp now() const override { return SystemClock().now() + Millis(offset_); }
    void advance(Millis by) { offset_ += by.count(); }

  private:
    std::atomic<std::int64_t> offset_{0};
};

class WorkerTest : public testing::Test {
  protected:
    void SetUp() override;
    void TearDown() override;

    Worker& start_worker();
    Job submit(const std::function<void(Job&)>& change = {});
    Job job(const Uuid& id);
    Job wait_until_ended(const Uuid& id);
    std::int64_t credits_used();
    void wait_until(const std::function<bool()>& condition, std::string_view what);

    const test::TemporaryFolder folder_;
    OffsetClock clock_;
    const operations::Registry operations_ = operations::Registry::built_in();
    std::unique_ptr<metadata::Store> store_;
    std::unique_ptr<blobs::BlobStore> blobs_;
    std::unique_ptr<TestEngine> engine_;
    WorkerConfig config_;
    Plan plan_;
    Account account_;
    Asset asset_;
    std::unique_ptr<Worker> worker_;
};

}  // namespace tessera::worker
