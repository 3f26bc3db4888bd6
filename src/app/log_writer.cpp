#include "app/log_writer.hpp"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <initializer_list>
#include <system_error>
#include <utility>

#include "app/trouble.hpp"

namespace tessera::app {
namespace {

// Lines gather this long before they are written together, so that a busy server does not wake the thread per line.
constexpr std::chrono::milliseconds gathering{20};
constexpr std::size_t enough_to_write = 64 << 10;

// Appending, so that a log that is copied and cut to nothing goes on at its new end.
UniqueFd open_log(const std::string& path) {
    return UniqueFd(open(path.c_str(), O_CREAT | O_APPEND | O_WRONLY | O_CLOEXEC, 0600));
}

std::string line_of(log::Level level, std::string_view event, std::initializer_list<log::Field> fields) {
    std::string line;
    log::begin_line(line, level, event);
    for (const log::Field& field : fields) field.append_to(line);
    return line + "}\n";
}

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

LogWriter::LogWriter(UniqueFd file, std::string path, std::size_t max_waiting_bytes)
    : path_(std::move(path)),
      owned_(std::move(file)),
      fd_(owned_.get()),
      max_waiting_bytes_(max_waiting_bytes),
      thread_([this] { run(); }) {}

Result<std::unique_ptr<LogWriter>> LogWriter::to_file(const std::string& path, std::size_t max_waiting_bytes) {
    UniqueFd file = open_log(path);
    if (!file) return trouble("log.file: can't open the log " + path + ": " + std::generic_category().message(errno));
    return std::make_unique<LogWriter>(std::move(file), path, max_waiting_bytes);
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

bool LogWriter::reopen() {
    if (path_.empty()) return false;
    {
        const std::lock_guard lock(mutex_);
        reopening_ = true;
    }
    wake_.notify_one();
    return true;
}

void LogWriter::open_anew() {
    UniqueFd file = open_log(path_);
    if (!file) {
        const std::string reason = std::generic_category().message(errno);
        write_fully(fd_, line_of(log::Level::error, "log_not_reopened", {{"file", path_}, {"detail", reason}}));
        return;
    }
    owned_ = std::move(file);
    fd_ = owned_.get();
    write_fully(fd_, line_of(log::Level::info, "log_reopened", {{"file", path_}}));
}

std::uint64_t LogWriter::dropped() const {
    const std::lock_guard lock(mutex_);
    return dropped_;
}

void LogWriter::run() {
    std::string batch;
    std::unique_lock lock(mutex_);
    while (true) {
        wake_.wait(lock, [&] { return !waiting_.empty() || stopping_ || reopening_; });
        wake_.wait_for(lock, gathering, [&] { return urgent_ || stopping_ || reopening_; });
        if (waiting_.empty() && stopping_) return;
        batch.swap(waiting_);
        waiting_.clear();
        urgent_ = false;
        const bool reopening = std::exchange(reopening_, false);
        const std::uint64_t lost = std::exchange(dropped_unreported_, 0);
        lock.unlock();
        if (lost > 0) {
            batch += line_of(log::Level::warning, "log_lines_dropped", {{"count", lost}});
        }
        write_fully(fd_, batch);
        if (reopening) open_anew();
        lock.lock();
    }
}

}  // namespace tessera::app
