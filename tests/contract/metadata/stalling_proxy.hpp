// A Unix-socket proxy in front of PostgreSQL that can fall silent or go away, as a network can.
#pragma once

#include <atomic>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "core/file.hpp"
#include "support/temporary_folder.hpp"

namespace tessera::metadata {

class StallingProxy {
  public:
    // `folder` is where the server's socket lives.
    explicit StallingProxy(std::string server_folder);
    StallingProxy(const StallingProxy&) = delete;
    StallingProxy& operator=(const StallingProxy&) = delete;
    ~StallingProxy();

    [[nodiscard]] std::string folder() const { return folder_.path().string(); }

    void stall() { stalled_ = true; }  // no byte passes any more, nothing is closed
    void flow() { stalled_ = false; }
    void go_away();    // closes everything, refuses newcomers
    void come_back();  // accepts again

  private:
    void listen();
    void accept_until_stopped();
    void relay(UniqueFd client);

    std::string server_folder_;
    const test::TemporaryFolder folder_;
    UniqueFd listening_;
    std::atomic<bool> stalled_{false};
    std::atomic<bool> away_{false};
    std::atomic<bool> stopping_{false};
    std::mutex mutex_;
    std::vector<std::thread> relays_;
    std::thread acceptor_;
};

}  // namespace tessera::metadata
