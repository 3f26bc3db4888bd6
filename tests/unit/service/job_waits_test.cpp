// Waits for jobs over a real store.
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "metadata/jobs.hpp"
#include "service/jobs/job_wait_service.hpp"
#include "stores_fixture.hpp"

namespace tessera::service {
namespace {

using namespace std::chrono_literals;

bool eventually(const std::function<bool()>& condition) {
    const auto deadline = std::chrono::steady_clock::now() + 60s;
    while (!condition()) {
        if (std::chrono::steady_clock::now() > deadline) return false;
        std::this_thread::sleep_for(1ms);
    }
    return true;
}

class JobWaitsTest : public StoresTest {
  protected:
    Uuid submit(const Uuid& id = Uuid::time_ordered()) {
        metadata::Submission submission;
        submission.job.id = id;
        submission.job.account_id = principal_.account.id;
        submission.job.operation = "resize";
        submission.job.options_json = "{}";
        return (*store_->jobs().submit(submission)).job->id;
    }
    void end_one(metadata::Store& of) {
        const auto claimed = *of.queue().claim({"w"});
        ASSERT_EQ(claimed.size(), 1U);
        ASSERT_TRUE(of.queue().complete(claimed[0].lease, {}));
    }
    std::unique_ptr<JobWait> begin(JobWaits& waits, const Uuid& job, std::chrono::seconds at_most = 60s) {
        return waits.begin(principal_.account.id, job, at_most);
    }
};

TEST_F(JobWaitsTest, AnEndedJobEndsAllWaitsForIt) {
    JobWaitService waits(*store_, {});
    const Uuid job = submit();
    const auto first = begin(waits, job);
    const auto second = begin(waits, job);
    const auto other = begin(waits, Uuid::time_ordered());
    std::atomic<int> over{0};
    for (const auto* wait : {&first, &second}) (*wait)->when_over([&] { ++over; });
    EXPECT_EQ(waits.count(), 3U);
    end_one(*store_);
    EXPECT_TRUE(eventually([&] { return over == 2; }));
}

TEST_F(JobWaitsTest, WhoAsksLateIsToldAtOnce) {
    JobWaitService waits(*store_, {});
    const auto wait = begin(waits, submit());
    end_one(*store_);
    std::atomic<bool> over{false};
    EXPECT_TRUE(eventually([&] {
        wait->when_over([&] { over = true; });
        return over.load();
    }));
}

TEST_F(JobWaitsTest, TheTimeEndsAWait) {
    JobWaitService waits(*store_, {});
    const auto wait = begin(waits, submit(), 1s);
    const auto longer = begin(waits, submit(), 60s);
    std::atomic<int> over{0};
    std::atomic<bool> longer_over{false};
    wait->when_over([&] { ++over; });
    longer->when_over([&] { longer_over = true; });
    EXPECT_TRUE(eventually([&] { return over == 1; }));
    EXPECT_FALSE(longer_over);
}

TEST_F(JobWaitsTest, GivingUpEndsItOnce) {
    JobWaitService waits(*store_, {});
    const auto wait = begin(waits, submit());
    int over = 0;
    wait->when_over([&] { ++over; });
    wait->give_up();
    wait->give_up();
    end_one(*store_);
    EXPECT_EQ(over, 1);
}

TEST_F(JobWaitsTest, OneThatIsGoneIsNotCalled) {
    JobWaitService waits(*store_, {});
    std::atomic<bool> called{false};
    const Uuid job = submit();
    begin(waits, job)->when_over([&] { called = true; });
    EXPECT_EQ(waits.count(), 0U);
    const auto alive = begin(waits, job);
    std::atomic<bool> over{false};
    alive->when_over([&] { over = true; });
    end_one(*store_);
    EXPECT_TRUE(eventually([&] { return over.load(); }));
    EXPECT_FALSE(called);
}

TEST_F(JobWaitsTest, AreBoundedForAnAccountAndInAll) {
    JobWaitService waits(*store_, {.max_per_account = 2, .max = 3});
    const Uuid job = submit();
    auto one = begin(waits, job);
    auto two = begin(waits, job);
    EXPECT_EQ(begin(waits, job), nullptr);
    const auto others = waits.begin(other_.account.id, job, 60s);
    EXPECT_NE(others, nullptr);
    EXPECT_EQ(waits.begin(Uuid::time_ordered(), job, 60s), nullptr);
    one.reset();
    EXPECT_NE(begin(waits, job), nullptr);
}

TEST_F(JobWaitsTest, MayBeginBeforeTheJobIsThere) {
    JobWaitService waits(*store_, {});
    const Uuid job = Uuid::time_ordered();
    const auto wait = begin(waits, job);
    // This one is not in flight either, and somebody waits to be told: when that is noticed, all were looked at.
    const auto of_ended = begin(waits, Uuid::time_ordered());
    std::atomic<bool> ended_over{false};
    of_ended->when_over([&] { ended_over = true; });
    EXPECT_TRUE(eventually([&] { return ended_over.load(); }));
    submit(job);
    std::atomic<bool> over{false};
    wait->when_over([&] { over = true; });
    EXPECT_FALSE(over);
    end_one(*store_);
    EXPECT_TRUE(eventually([&] { return over.load(); }));
}

TEST_F(JobWaitsTest, AShorterWaitEndsInTimeBehindALongerOne) {
    JobWaitService waits(*store_, {});
    begin(waits, submit()).reset();  // the thread sleeps on for it
    const auto longer = begin(waits, submit(), 60s);
    const auto shorter = begin(waits, submit(), 1s);
    std::atomic<bool> over{false};
    shorter->when_over([&] { over = true; });
    EXPECT_TRUE(eventually([&] { return over.load(); }));
}

// Another store on the same file is another process.
TEST_F(JobWaitsTest, AnEndInAnotherProcessEndsTheWait) {
    JobWaitService waits(*store_, {});
    const auto other = std::move(*metadata::open_sqlite((folder_ / "test.db").string(), clock_));
    const auto wait = begin(waits, submit());
    std::atomic<bool> over{false};
    wait->when_over([&] { over = true; });
    end_one(*other);
    EXPECT_TRUE(eventually([&] { return over.load(); }));
}

}  // namespace
}  // namespace tessera::service
