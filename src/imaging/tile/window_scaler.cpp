#include "imaging/tile/window_scaler.hpp"

#include <cmath>

namespace tessera::imaging {

WindowScaler::Touched::Touched(double start, double length)
    : first(static_cast<std::int64_t>(std::floor(start))),
      end(static_cast<std::int64_t>(std::ceil(start + length))),
      stretch{start - static_cast<double>(first), length} {}

WindowScaler::WindowScaler(const Window& window, std::int64_t width, std::int64_t height)
    : across_(window.x, window.width),
      down_(window.y, window.height),
      resampler_({across_.end - across_.first, down_.end - down_.first}, {across_.stretch, down_.stretch},
                 {width, height}, {.bands = 4, .has_alpha = true}),
      made_(PixelLayout::rgba, width, height) {}

void WindowScaler::add(const std::uint8_t* row) {
    resampler_.add(row);
    for (; rows_made_ < made_.height() && resampler_.rows_needed() <= resampler_.rows_added(); ++rows_made_) {
        resampler_.take(made_.row(0, rows_made_));
    }
}

}  // namespace tessera::imaging
