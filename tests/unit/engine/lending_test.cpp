// Threads of idle slots, lent to jobs that make tiles.
#include <atomic>
#include <chrono>
#include <stop_token>
#include <string>
#include <thread>

#include "pool_fixture.hpp"
#include "support/eventually.hpp"

namespace tessera::engine {
namespace {

using namespace std::chrono_literals;

Task task_of(const std::string& operation, const std::string& options, const std::string& picture) {
    Task task;
    task.request.operation = operation;
    task.request.options = options_from(options);
    task.request.images.push_back(
        {Uuid::random(), ImageInfo{ImageFormat::jpeg, 600, 400, 1, false, 8, "srgb"}, std::ssize(picture)});
    task.open_image = [picture](std::size_t) -> Result<UniqueFd> { return test::file_with(picture); };
    task.deadline = 600s;
    return task;
}
Task tile_task(const std::string& picture) {
    return task_of("tile",
                   R"({"format":"png","quality":80,"tile_size":256,"background":"#00000000","rotate":0,)"
                   R"("preprocess":{"normalize":false,"sharpen":false,"grayscale":false}})",
                   picture);
}
Task resize_task(const std::string& picture) {
    return task_of("resize",
                   R"({"width":32,"fit":"inside","position":"centre","format":"png","quality":80,)"
                   R"("background":"#ffffff","enlarge":false,"keep_metadata":false})",
                   picture);
}

class Lending : public PoolTest {
  protected:
    Lending() { config_.job_engines = 3; }

    struct Run {
        std::int64_t lent = -1;  // when the job opened its source
        bool succeeded = false;
    };
    Run run(Task task) {
        EXPECT_TRUE(test::eventually([&] { return pool().counters().engines >= 4; }));
        Run seen;
        task.open_image = [&, open = task.open_image](std::size_t index) {
            seen.lent = pool().counters().lent;
            return open(index);
        };
        seen.succeeded = pool().run(task).ok();
        return seen;
    }
    std::int64_t lent_to(const Task& task) {
        const Run seen = run(task);
        EXPECT_TRUE(seen.succeeded);
        return seen.lent;
    }

    // A job that is in its slot until it is destroyed.
    class Hanging {
      public:
        explicit Hanging(Pool& pool)
            : thread_([this, &pool] {
                  Task task = resize_task(test::make_image({}) + "TESSERA-HOOK:run:hang");
                  task.open_image = [this, open = task.open_image](std::size_t index) {
                      started_ = true;
                      return open(index);
                  };
                  task.stop = stop_.get_token();
                  EXPECT_FALSE(pool.run(task).ok());
              }) {
            EXPECT_TRUE(test::eventually([&] { return started_.load(); }));
        }
        Hanging(const Hanging&) = delete;
        Hanging& operator=(const Hanging&) = delete;
        ~Hanging() { stop_.request_stop(); }

      private:
        std::stop_source stop_;
        std::atomic<bool> started_ = false;
        std::jthread thread_;
    };

    const std::string picture_ = test::make_image({.width = 600, .height = 400});
};

TEST_F(Lending, IdleSlotsAreLentToWorkThatSpreadsAndToNoOther) {
    EXPECT_EQ(lent_to(tile_task(picture_)), 2);
    EXPECT_EQ(pool().counters().lent, 0) << "what is lent comes back";
    EXPECT_EQ(lent_to(resize_task(picture_)), 0);
}

TEST_F(Lending, BusySlotsAreNot) {
    {
        const Hanging one(pool());
        EXPECT_EQ(lent_to(tile_task(picture_)), 1);
        const Hanging other(pool());
        EXPECT_EQ(lent_to(tile_task(picture_)), 0);
    }
    EXPECT_EQ(lent_to(tile_task(picture_)), 2);
}

TEST_F(Lending, WhatIsLentComesBackFromAJobThatDied) {
    const Run seen = run(tile_task(picture_ + "TESSERA-HOOK:run:crash"));
    EXPECT_FALSE(seen.succeeded);
    EXPECT_EQ(seen.lent, 2);
    EXPECT_EQ(pool().counters().lent, 0);
}

TEST_F(Lending, CanBeSwitchedOff) {
    config_.lend_idle_slots = false;
    EXPECT_EQ(lent_to(tile_task(picture_)), 0);
}

TEST_F(Lending, AJobOfManyThreadsBorrowsNoMoreThanItCanFeed) {
    config_.threads_per_job = 4;
    EXPECT_EQ(lent_to(tile_task(picture_)), 1);
}

}  // namespace
}  // namespace tessera::engine
