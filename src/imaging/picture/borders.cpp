#include "imaging/picture/borders.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>

#include "imaging/pixels/image_rows.hpp"

namespace tessera::imaging {
namespace {

constexpr std::int64_t rows_at_once = 16;

// Looks at rows as they come and keeps none of them.
class BorderFinder final : public RowSink {
  public:
    BorderFinder(PixelLayout layout, std::int64_t width, int tolerance, const std::function<bool()>& cancelled)
        : strip_(layout, width, rows_at_once),
          bytes_(static_cast<std::size_t>(bytes_per_pixel(layout))),
          tolerance_(tolerance),
          cancelled_(cancelled) {}

    JobResult<RowSpace> space() override { return RowSpace{&strip_, 0, rows_at_once}; }
    JobResult<void> commit(std::int64_t rows) override {
        if (cancelled_ && cancelled_()) return JobError{JobErrorCode::timeout, "the job was cancelled", ""};
        for (std::int64_t row = 0; row < rows; ++row) look_at(strip_.row(0, row));
        return {};
    }

    [[nodiscard]] std::optional<Area> found() const {
        if (right_ < left_) return std::nullopt;
        return Area{left_, top_, right_ - left_ + 1, bottom_ - top_ + 1};
    }

  private:
    void look_at(const std::uint8_t* row) {
        if (row_ == 0) border_ = weighted(row);
        std::int64_t first = 0;
        while (first < strip_.width() && is_border(row, first)) ++first;
        if (first < strip_.width()) {
            std::int64_t last = strip_.width() - 1;
            while (last > right_ && is_border(row, last)) --last;
            if (top_ < 0) top_ = row_;
            bottom_ = row_;
            left_ = std::min(left_, first);
            right_ = std::max(right_, std::max(last, first));
        }
        ++row_;
    }

    using Pixel = std::array<int, 4>;
    [[nodiscard]] Pixel weighted(const std::uint8_t* pixel) const {
        Pixel values{};
        for (std::size_t i = 0; i < bytes_; ++i) values[i] = pixel[i];
        if (bytes_ < 4) return values;
        for (std::size_t i = 0; i < 3; ++i) values[i] = values[i] * values[3] / 255;
        return values;
    }
    [[nodiscard]] bool is_border(const std::uint8_t* row, std::int64_t column) const {
        const Pixel pixel = weighted(row + static_cast<std::size_t>(column) * bytes_);
        for (std::size_t i = 0; i < bytes_; ++i) {
            if (std::abs(pixel[i] - border_[i]) > tolerance_) return false;
        }
        return true;
    }

    ImageBuffer strip_;
    std::size_t bytes_;
    int tolerance_;
    const std::function<bool()>& cancelled_;
    Pixel border_{};
    std::int64_t row_ = 0;
    std::int64_t left_ = std::int64_t{1} << 40;
    std::int64_t right_ = -1;
    std::int64_t top_ = -1;
    std::int64_t bottom_ = -1;
};

}  // namespace

JobResult<Area> without_borders(const Image& image, int tolerance, const std::function<bool()>& cancelled) {
    const auto rows = rows_of(image);
    if (!rows) return rows.error();
    BorderFinder finder((*rows)->layout(), image.width(), tolerance, cancelled);
    if (auto poured = (*rows)->pour(finder); !poured) return std::move(poured).error();
    return finder.found().value_or(Area{0, 0, image.width(), image.height()});
}

}  // namespace tessera::imaging
