#include "service/upkeep/sweeper.hpp"

#include "metadata/artifacts.hpp"
#include "metadata/maintenance.hpp"
#include "stores_fixture.hpp"

namespace tessera::service {
namespace {

using namespace std::chrono_literals;

class SweeperTest : public StoresTest {
  protected:
    SweepReport sweep() {
        Sweeper sweeper(*store_, *blobs_, clock_, config_);
        const auto report = sweeper.sweep();
        EXPECT_TRUE(report) << report.error().detail;
        EXPECT_TRUE(*report);
        EXPECT_TRUE(store_->maintenance().drop_lease("sweeper", "nobody"));
        clock_.advance(1h);  // past the lease of this sweep, which its sweeper did not stop to drop
        return **report;
    }
    SweeperConfig config_;
};

TEST_F(SweeperTest, TakesWhatExpiredAndLeavesTheRest) {
    const Artifact old = make_artifact("old", clock_.now() + 1h);
    const Artifact young = make_artifact("young", clock_.now() + 1000h);
    const Artifact forever = make_artifact("forever");
    sweep();
    EXPECT_TRUE(has_blob(old.storage_key));
    clock_.advance(2h);
    sweep();
    sweep();
    EXPECT_FALSE(has_blob(old.storage_key));
    EXPECT_TRUE(has_blob(young.storage_key));
    EXPECT_TRUE(has_blob(forever.storage_key));
    EXPECT_TRUE(*store_->artifacts().find(principal_.account.id, young.id));
}

TEST_F(SweeperTest, FindsBlobsThatACrashLeftAndNothingNames) {
    const Artifact named = make_artifact("named");
    publish("artifacts/orphan", "written just before the crash");
    config_.orphan_age = Millis(0);
    config_.orphan_scan_interval = Millis(0);
    // Blobs carry the file system's time; this test's clock stands in the past.
    clock_.advance(SystemClock().now() - clock_.now() + 1h);
    EXPECT_EQ(sweep().orphans, 1);
    sweep();
    EXPECT_FALSE(has_blob("artifacts/orphan"));
    EXPECT_TRUE(has_blob(named.storage_key));
}

TEST_F(SweeperTest, YoungBlobsMayBelongToWorkUnderWay) {
    publish("artifacts/fresh", "its job is about to complete");
    config_.orphan_scan_interval = Millis(0);
    clock_.advance(SystemClock().now() - clock_.now());
    EXPECT_EQ(sweep().orphans, 0);
    EXPECT_TRUE(has_blob("artifacts/fresh"));
}

TEST_F(SweeperTest, OnlyOneNodeSweeps) {
    Sweeper first(*store_, *blobs_, clock_, config_);
    Sweeper second(*store_, *blobs_, clock_, config_);
    EXPECT_TRUE(first.sweep()->has_value());
    EXPECT_FALSE(second.sweep()->has_value());
    clock_.advance(1h);
    EXPECT_TRUE(second.sweep()->has_value());
    EXPECT_FALSE(first.sweep()->has_value());
}

TEST_F(SweeperTest, AnotherNodeSoonSweepsForOneThatDied) {
    Sweeper killed(*store_, *blobs_, clock_, config_);
    Sweeper other(*store_, *blobs_, clock_, config_);
    ASSERT_TRUE(*killed.sweep());  // and is never heard of again
    clock_.advance(29s);
    EXPECT_FALSE(*other.sweep());
    clock_.advance(2s);
    EXPECT_TRUE(*other.sweep());
}

TEST_F(SweeperTest, StartsAndStopsTwice) {
    config_.interval = Millis(1);
    Sweeper sweeper(*store_, *blobs_, clock_, config_);
    sweeper.start();
    sweeper.start();
    sweeper.stop();
    sweeper.stop();
}

}  // namespace
}  // namespace tessera::service
