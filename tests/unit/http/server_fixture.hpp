// A running server with routes that tests can look into.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "http/routing/handler.hpp"
#include "http/server/server.hpp"
#include "test_client.hpp"

namespace tessera::http::test {

// A door that handlers wait at until the test opens it.
class Door {
  public:
    void open() {
        const std::lock_guard lock(mutex_);
        open_ = true;
        changed_.notify_all();
    }
    void pass() {
        std::unique_lock lock(mutex_);
        ++waiting_;
        changed_.notify_all();
        changed_.wait(lock, [&] { return open_; });
        --waiting_;
    }
    [[nodiscard]] int waiting() {
        const std::lock_guard lock(mutex_);
        return waiting_;
    }

  private:
    std::mutex mutex_;
    std::condition_variable changed_;
    bool open_ = false;
    int waiting_ = 0;
};

// What sinks of the server saw.
struct SinkLog {
    std::atomic<std::size_t> opened{0};
    std::atomic<std::size_t> destroyed{0};
    std::atomic<std::size_t> finished{0};
    std::atomic<std::size_t> bytes{0};
    std::atomic<std::size_t> at_once{0};
    std::atomic<std::size_t> most_at_once{0};
    std::atomic<std::size_t> refuse_after{SIZE_MAX};
    std::atomic<bool> throws{false};
};

// Answers that a test gives when it likes, or never.
class LateAnswers {
  public:
    using Finished = BodySink::Finished;
    void add(Finished finished) {
        const std::lock_guard lock(mutex_);
        waiting_.push_back(std::move(finished));
    }
    [[nodiscard]] std::size_t waiting() {
        const std::lock_guard lock(mutex_);
        return waiting_.size();
    }
    [[nodiscard]] std::vector<Finished> take() {
        const std::lock_guard lock(mutex_);
        return std::exchange(waiting_, {});
    }

  private:
    std::mutex mutex_;
    std::vector<Finished> waiting_;
};

class ServerTest : public testing::Test {
  protected:
    void start(ServerConfig config = {}, std::shared_ptr<Gate> gate = nullptr);
    void TearDown() override;

    [[nodiscard]] std::string address() const { return server_->addresses().front(); }
    [[nodiscard]] double open_connections() const;
    static ServerConfig small();      // small limits
    static ServerConfig impatient();  // and short time-outs

    std::unique_ptr<Server> server_;
    Door door_;
    Door write_door_;
    SinkLog sinks_;
    LateAnswers late_;
    std::string big_;  // what GET /big answers
};

}  // namespace tessera::http::test
