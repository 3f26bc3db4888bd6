// Brings a window of a picture to a size with Lanczos-3, row by row. The window may begin and end between two pixels,
// and may grow. In floating point throughout, so that a pixel is rounded once, and colours are weighted by their
// opacity; a window of whole pixels at its own size comes out as it went in.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "core/pixels.hpp"

namespace tessera::imaging {

struct Window {
    double x = 0;
    double y = 0;
    double width = 0;
    double height = 0;
};

// How much of which source pixels makes each target pixel along one edge. Beyond the window, its last pixel goes on.
struct WindowTaps {
    struct Span {
        std::int64_t first = 0;
        int count = 0;
        std::size_t at = 0;  // of its first weight
    };
    WindowTaps(double start, double length, std::int64_t target);
    std::int64_t first = 0;  // of the source pixels in the window
    std::int64_t end = 0;
    std::vector<Span> spans;
    std::vector<float> weights;
};

class WindowScaler {
  public:
    WindowScaler(const Window& window, std::int64_t width, std::int64_t height);

    // The source pixels that are needed: rows and columns, the ends exclusive.
    [[nodiscard]] std::int64_t first_row() const { return down_.first; }
    [[nodiscard]] std::int64_t end_row() const { return down_.end; }
    [[nodiscard]] std::int64_t first_column() const { return across_.first; }
    [[nodiscard]] std::int64_t end_column() const { return across_.end; }

    // The next row, as rgba, from first_column() on.
    void add(const std::uint8_t* row);
    // When all rows were added.
    [[nodiscard]] ImageBuffer take() { return std::move(made_); }

  private:
    void finish_row(const std::vector<float>& sums);

    WindowTaps across_;
    WindowTaps down_;
    ImageBuffer made_;
    std::int64_t next_source_ = 0;
    std::int64_t next_target_ = 0;
    std::deque<std::vector<float>> sums_;  // of the targets from next_target_ on that have begun
    std::vector<float> source_;
    std::vector<float> scaled_;
};

}  // namespace tessera::imaging
