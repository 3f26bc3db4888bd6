// Inside imaging only: makes a picture smaller by whole factors while its rows go by. Each pixel is the mean of a box
// of them; where there is alpha, colours count by their opacity.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace tessera::imaging {

struct BoxFactors {
    int across = 1;
    int down = 1;
    [[nodiscard]] bool any() const { return across > 1 || down > 1; }
};

class BoxShrink {
  public:
    // Factors beyond this are taken as this: sums are of 32 bits.
    static constexpr int most = 1 << 14;
    // Two bytes a sample with alpha would overflow, and is not done.
    static bool can(int bands, int sample_bytes) { return sample_bytes == 1 || bands == 1 || bands == 3; }

    BoxShrink(int width, int bands, int sample_bytes, BoxFactors factors);

    // A picture of this edge becomes so long: the last box is up to half larger or smaller than the others.
    static int shrunk(int edge, int factor);
    [[nodiscard]] int width() const { return static_cast<int>(out_width_); }

    void add(const std::uint8_t* row);
    // The mean of the rows added since the last time.
    void take(std::uint8_t* out);

  private:
    template <typename Box>
    void each_box(Box box) const;

    std::size_t width_;
    std::size_t bands_;
    int sample_bytes_;
    std::size_t across_;
    std::size_t out_width_;
    int rows_ = 0;
    std::vector<std::uint32_t> sums_;  // of columns, each band by itself
};

// A picture of so many rows, as they come or in boxes. What can't be done in boxes is done as it comes.
class BoxedRows {
  public:
    BoxedRows(int width, int height, int bands, int sample_bytes, BoxFactors factors)
        : factors_(BoxShrink::can(bands, sample_bytes) ? factors : BoxFactors{}),
          shrink_(width, bands, sample_bytes, factors_),
          source_height_(height),
          height_(BoxShrink::shrunk(height, factors_.down)),
          row_size_(static_cast<std::size_t>(width) * static_cast<std::size_t>(bands * sample_bytes)) {}

    [[nodiscard]] int width() const { return shrink_.width(); }
    [[nodiscard]] int height() const { return height_; }

    // `next` gives the source's next row. False where that is null.
    template <typename NextRow>
    bool make(std::uint8_t* out, NextRow next) {
        if (!factors_.any()) {
            const std::uint8_t* const row = next();
            if (row != nullptr) std::memcpy(out, row, row_size_);
            return row != nullptr;
        }
        ++made_;
        const int end = made_ == height_ ? source_height_ : made_ * factors_.down;
        for (; read_ < end; ++read_) {
            const std::uint8_t* const row = next();
            if (row == nullptr) return false;
            shrink_.add(row);
        }
        shrink_.take(out);
        return true;
    }

  private:
    BoxFactors factors_;
    BoxShrink shrink_;
    int source_height_;
    int height_;
    std::size_t row_size_;
    int made_ = 0;
    int read_ = 0;
};

}  // namespace tessera::imaging
