// Brings a window of a picture to a size with Lanczos-3, row by row. The window may begin and end between two pixels,
// and may grow; beyond it, its last pixel goes on. A window of whole pixels at its own size comes out as it went in.
#pragma once

#include <cstdint>
#include <utility>

#include "core/pixels.hpp"
#include "imaging/pixels/resampler.hpp"

namespace tessera::imaging {

struct Window {
    double x = 0;
    double y = 0;
    double width = 0;
    double height = 0;
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
    // The whole pixels that a stretch of an edge touches, and where it lies in them.
    struct Touched {
        Touched(double start, double length);
        std::int64_t first = 0;
        std::int64_t end = 0;
        Stretch stretch;
    };

    Touched across_;
    Touched down_;
    Resampler resampler_;
    ImageBuffer made_;
    std::int64_t rows_made_ = 0;
};

}  // namespace tessera::imaging
