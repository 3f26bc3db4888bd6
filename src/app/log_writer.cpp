#include "app/log_writer.hpp"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "app/trouble.hpp"
#include "core/clock.hpp"

namespace tessera::app {
namespace {

// Lines gather this long before they are written together, so that a busy server does not wake the thread per line.
constexpr std::chrono::milliseconds gathering{20};
constexpr std::size_t enough_to_write = 64 << 10;

void write_fully(int fd, std::string_view text) {
    while (!text.empty()) {
        const ssize_t written = ::write(fd, text.data(), text.size());
        if (written > 0) {
            text.remove_prefix(static_cast<std::size_t>(written));
        } else if (errno == EAGAIN) {
            pollfd waiting{fd, POLLOUT, 0};
            (void)poll(&waiting, 1, 1000);
        } else if (errno != EINTR) {
            return;  // nobody is left to tell
        }
    }
}

}  // namespace

LogWriter::LogWriter(int fd, std::size_t max_waiting_bytes)
    : fd_(fd), max_waiting_bytes_(max_waiting_bytes), thread_([this] { run(); }) {}

Result<std::unique_ptr<LogWriter>> LogWriter::to_file(const std::string& path, std::size_t max_waiting_bytes) {
    UniqueFd file(open(path.c_str(), O_CREAT | O_APPEND | O_WRONLY | O_CLOEXEC, 0600));
    if (!file) return trouble("log.file: can't open the log " + path + ": " + std::generic_category().message(errno));
    auto writer = std::make_unique<LogWriter>(file.get(), max_waiting_bytes);
    writer->owned_ = std::move(file);
    return writer;
}

LogWriter::~LogWriter() {
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
    }
    wake_.notify_one();
    thread_.join();
}

void LogWriter::write(log::Level level, std::string_view line) {
    bool wake = false;
    {
        const std::lock_guard lock(mutex_);
        if (waiting_.size() + line.size() + 1 > max_waiting_bytes_) {
            const auto lines = static_cast<std::uint64_t>(1 + std::ranges::count(line, '\n'));
            dropped_ += lines;
            dropped_unreported_ += lines;
            return;
        }
        wake = waiting_.empty();
        waiting_ += line;
        waiting_ += '\n';
        if (!urgent_ && (level >= log::Level::warning || waiting_.size() >= enough_to_write)) {
            urgent_ = true;
            wake = true;
        }
    }
    if (wake) wake_.notify_one();
}

std::uint64_t LogWriter::dropped() const {
    const std::lock_guard lock(mutex_);
    return dropped_;
}

void LogWriter::run() {
    std::string batch;
    std::unique_lock lock(mutex_);
    while (true) {
        wake_.wait(lock, [&] { return !waiting_.empty() || stopping_; });
        wake_.wait_for(lock, gathering, [&] { return urgent_ || stopping_; });
        if (waiting_.empty() && stopping_) return;
        batch.swap(waiting_);
        waiting_.clear();
        urgent_ = false;
        const std::uint64_t lost = std::exchange(dropped_unreported_, 0);
        lock.unlock();
        if (lost > 0) {
            batch += "{\"time\":\"" + to_iso8601(SystemClock().now()) +
                     "\",\"level\":\"warning\",\"event\":\"log_lines_dropped\",\"count\":" + std::to_string(lost) +
                     "}\n";
        }
        write_fully(fd_, batch);
        lock.lock();
    }
}

}  // namespace tessera::app
