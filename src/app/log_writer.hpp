// Takes finished log lines from any thread without ever making it wait, and writes them in batches from a thread of its
// own. When the reader is slower than the writers for long, lines are dropped and counted, never the service held up.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

#include "core/file.hpp"
#include "core/log.hpp"
#include "core/result.hpp"

namespace tessera::app {

class LogWriter {
  public:
    // Writes to `fd`, which must stay open; at most `max_waiting_bytes` wait for it.
    LogWriter(int fd, std::size_t max_waiting_bytes);
    // Writes to `file`, which is opened at `path`.
    LogWriter(UniqueFd file, std::string path, std::size_t max_waiting_bytes);
    // Writes to a file that is made or appended to.
    static Result<std::unique_ptr<LogWriter>> to_file(const std::string& path, std::size_t max_waiting_bytes);
    ~LogWriter();  // writes what waits

    LogWriter(const LogWriter&) = delete;
    LogWriter& operator=(const LogWriter&) = delete;

    void write(log::Level level, std::string_view line);  // or several lines, which stay together
    [[nodiscard]] std::uint64_t dropped() const;

    // The file was moved away: what comes from now on goes to a new one of its name. Where that can't be had, the old
    // one goes on and says why. False where there is no file that is ours to open.
    bool reopen();

  private:
    void run();
    void open_anew();  // by the thread

    const std::string path_;  // empty: a descriptor that is somebody else's
    UniqueFd owned_;
    int fd_;  // the thread's own
    const std::size_t max_waiting_bytes_;
    mutable std::mutex mutex_;
    std::condition_variable wake_;
    std::string waiting_;
    std::uint64_t dropped_ = 0;
    std::uint64_t dropped_unreported_ = 0;
    bool urgent_ = false;
    bool reopening_ = false;
    bool stopping_ = false;
    std::thread thread_;
};

}  // namespace tessera::app
