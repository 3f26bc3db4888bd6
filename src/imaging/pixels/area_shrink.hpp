// Inside imaging only: makes a plane of bytes smaller by any factor while its rows go by. Each pixel is the mean of the
// area that it covers, to a small part of a pixel; box_shrink.hpp does so by whole factors, and quicker.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tessera::imaging {

// One edge: where the cuts between what becomes one pixel each are. They are counted in units, so that planes of which
// one has half the resolution are cut at the same places.
class AreaCuts {
  public:
    // An edge of `whole` units, in pixels of `units` of which the last may stick out, becomes `to` pixels. Each of
    // these has to cover a pixel at least.
    AreaCuts(std::int64_t whole, int units, int to) : whole_(whole), units_(units), to_(to) {}

    [[nodiscard]] int units() const { return units_; }
    [[nodiscard]] int to() const { return to_; }
    [[nodiscard]] std::size_t from() const { return static_cast<std::size_t>((whole_ + units_ - 1) / units_); }
    // Where the pixel of this number begins.
    [[nodiscard]] std::int64_t at(int number) const { return whole_ * number / to_; }

  private:
    std::int64_t whole_;
    int units_;
    int to_;
};

class AreaShrink {
  public:
    AreaShrink(const AreaCuts& across, const AreaCuts& down);

    // The rows so far make one; more can't be added before it is taken.
    [[nodiscard]] bool is_ready() const { return ready_; }
    void add(const std::uint8_t* row);
    // From 0 to 255. Kept until the next one is ready.
    std::span<const float> take();

  private:
    // What a pixel is the sum of: all from the first to before the last, and a part of these two more or less.
    struct Span {
        std::uint32_t first;
        std::uint32_t last;
        std::uint32_t less_of_first;  // units
        std::uint32_t more_of_last;
        float share;  // of all of it
    };
    void finish();

    AreaCuts down_;
    std::uint32_t units_across_;
    std::vector<Span> spans_;
    std::vector<std::uint32_t> sums_;    // of columns; one more for what sticks out
    std::vector<std::uint64_t> before_;  // of each column, the sum of those to its left
    std::vector<float> made_;
    int row_ = 0;        // being made
    std::int64_t left_;  // units until it is
    bool ready_ = false;
};

}  // namespace tessera::imaging
