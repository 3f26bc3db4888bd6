// Inside imaging only: makes a picture smaller by whole factors while its rows go by. Each pixel is the mean of a box
// of them; where there is alpha, colours count by their opacity.
#pragma once

#include <cstddef>
#include <cstdint>
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

}  // namespace tessera::imaging
