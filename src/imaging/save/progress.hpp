// How far a picture's work is, told also while a library is busy that does not say. Work has two stages: until its
// pixels come, and what is made of them. Where a stage says nothing of itself, the processor time that this process has
// spent on it is held against what such work is expected to take; what is expected need not be right for progress to
// move on, and never to fall back or come to its end too early.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>

namespace tessera::imaging {

using Report = std::function<void(double)>;

// 0 to 1 of the part is `from` to `to` of the whole. Nothing where nobody listens.
Report part_of(const Report& whole, double from, double to);

// The share of a piece of work that is done when it has taken `spent` of the time that it was expected to take: as much
// up to four fifths, then less and less, and never all of it.
double estimated_share(double spent);

// Processor time in seconds, of one core.
struct ExpectedTime {
    double pixels = 0;  // until the last of them has come
    double rest = 0;    // to make something of them; 0: that happens as they come
};

class Progress {
  public:
    Progress(Report report, const ExpectedTime& expected);
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;
    ~Progress();

    // From any thread. A stage that tells of itself is believed from then on.
    void pixels(double share);
    void pixels_are_there();
    void rest(double share);

  private:
    enum class Stage { pixels, rest };

    void begin_locked(Stage stage, double expected_seconds);
    void tell_locked(double share_of_stage);
    void estimate();

    const Report report_;
    const ExpectedTime expected_;
    std::mutex mutex_;
    std::condition_variable wake_;
    Stage stage_ = Stage::pixels;
    double begun_at_ = 0;  // progress when the stage began to tell
    double ends_at_ = 1;   // and where it will end
    double told_ = 0;
    double expected_seconds_ = 0;  // of what is estimated now; 0: nothing is
    double spent_before_ = 0;      // processor time when that began
    bool tells_itself_ = false;
    bool ending_ = false;
    std::optional<std::thread> thread_;
};

}  // namespace tessera::imaging
