// A blob store that goes away for everybody, and one that fails a single job.
#include <gmock/gmock.h>

#include "worker_fixture.hpp"

namespace tessera::worker {
namespace {

// Passes on to another store while it is there.
class AbsentStore final : public blobs::BlobStore {
  public:
    explicit AbsentStore(std::unique_ptr<BlobStore> store) : store_(std::move(store)) {}

    using BlobStore::publish;
    Result<blobs::StagedFile> stage() override { return store_->stage(); }
    Result<void> publish(std::vector<blobs::Publication> publications) override {
        if (publishing_fails) return gone();
        return store_->publish(std::move(publications));
    }
    Result<std::shared_ptr<const blobs::Blob>> open(const blobs::BlobKey& key) override { return store_->open(key); }
    Result<UniqueFd> open_local(const blobs::BlobKey& key) override { return store_->open_local(key); }
    Result<void> remove(const blobs::BlobKey& key) override { return store_->remove(key); }
    Result<blobs::BlobPage> list(std::string_view prefix, const std::optional<std::string>& from,
                                 std::size_t limit) override {
        return store_->list(prefix, from, limit);
    }
    Result<void> check() override {
        ++checks;
        if (away) return gone();
        return store_->check();
    }

    std::atomic<bool> publishing_fails{false};
    std::atomic<bool> away{false};
    std::atomic<int> checks{0};

  private:
    static Error gone() { return storage_unavailable("the store is away, as told"); }
    std::unique_ptr<BlobStore> store_;
};

class StorageAway : public WorkerTest {
  protected:
    void SetUp() override {
        WorkerTest::SetUp();
        auto absent = std::make_unique<AbsentStore>(std::move(blobs_));
        remote_ = absent.get();
        blobs_ = std::move(absent);
        config_.retry_base = Millis(1);
        config_.retry_longest = Millis(1);
    }
    AbsentStore* remote_ = nullptr;
};

TEST_F(StorageAway, CostsNoAttemptsAndClaimsNothingUntilItIsBack) {
    remote_->publishing_fails = true;
    remote_->away = true;
    Worker& worker = start_worker();
    const Job first = submit();
    wait_until([&] { return worker.counters().handed_back == 1; }, "the job to be handed back");
    const Job second = submit();
    const int asked = remote_->checks;
    wait_until([&] { return remote_->checks > asked + 2; }, "the worker to ask for the store again");
    EXPECT_EQ(engine_->runs(), 1) << "nothing is claimed while the store is away";
    for (const Uuid& id : {first.id, second.id}) {
        EXPECT_EQ(job(id).status, JobStatus::queued);
        EXPECT_EQ(job(id).attempt_count, 0);
    }

    remote_->publishing_fails = false;
    remote_->away = false;
    for (const Uuid& id : {first.id, second.id}) {
        const Job done = wait_until_ended(id);
        EXPECT_EQ(done.status, JobStatus::succeeded);
        EXPECT_EQ(done.attempt_count, 1);
    }
}

TEST_F(StorageAway, AStoreThatFailsOneThingAndIsWellCostsAttempts) {
    remote_->publishing_fails = true;
    start_worker();
    const Job done = wait_until_ended(submit().id);
    EXPECT_EQ(done.status, JobStatus::failed);
    EXPECT_EQ(done.error_code, JobErrorCode::storage_unavailable);
    EXPECT_EQ(done.attempt_count, 3);
    EXPECT_EQ(credits_used(), 0);
}

TEST_F(StorageAway, AWorkerThatWaitsForItsStoreStops) {
    remote_->publishing_fails = true;
    remote_->away = true;
    Worker& worker = start_worker();
    submit();
    wait_until([&] { return worker.counters().handed_back == 1; }, "the job to be handed back");
    worker.stop();
    EXPECT_EQ(engine_->runs(), 1);
}

}  // namespace
}  // namespace tessera::worker
