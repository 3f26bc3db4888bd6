// Inside imaging only: brings a picture to a smaller size with Lanczos-3, row by row. In floating point throughout, so
// that a pixel is rounded once; colours are weighted by their opacity meanwhile.
#pragma once

#include <cstdint>
#include <vector>

#include "imaging/pixels/fit.hpp"

namespace tessera::imaging {

// A stretch of an edge, in pixels: it may begin and end within one.
struct Stretch {
    double start = 0;
    double length = 0;
};

// A part of a picture, likewise.
struct Part {
    Stretch across;
    Stretch down;
    static Part whole(Size size) {
        return {{0, static_cast<double>(size.width)}, {0, static_cast<double>(size.height)}};
    }
};

// How much of which source pixels makes each target pixel along one edge. Past an end, its last pixel goes on.
struct ResampleWeights {
    struct Span {
        int first = 0;
        int count = 0;
        std::size_t at = 0;  // of its first weight
    };
    ResampleWeights(int from, int to) : ResampleWeights({0, static_cast<double>(from)}, from, to) {}
    // Of a stretch of an edge that has `from` pixels.
    ResampleWeights(Stretch stretch, int from, int to);
    std::vector<Span> spans;
    std::vector<float> weights;
};

// The same with as many weights for each target pixel, some of which are nothing: of several targets side by side their
// first weights, then their second ones; at the end, of targets that are too few for that, one after the other.
struct EvenWeights {
    static constexpr std::size_t side_by_side = 8;
    // Of an edge that has `from` pixels.
    EvenWeights(const ResampleWeights& uneven, int from);
    std::size_t count = 0;
    std::vector<int> first;  // source pixel of each target
    std::vector<float> weights;
};

class Resampler {
  public:
    // One byte a sample, one to four bands, of which the last is the opacity where `has_alpha`; no edge grows.
    Resampler(Size from, Size to, int bands, bool has_alpha)
        : Resampler(from, Part::whole(from), to, bands, has_alpha) {}
    // The same of a part of it.
    Resampler(Size from, const Part& part, Size to, int bands, bool has_alpha);

    // How many rows of the source the next row needs, from its beginning.
    [[nodiscard]] int rows_needed() const;
    [[nodiscard]] int rows_added() const { return added_; }
    void add(const std::uint8_t* row);
    void take(std::uint8_t* out);

  private:
    // Target rows that the source row is part of: few overlap, so their sums are kept in a ring.
    [[nodiscard]] float* sums(int target) {
        return sums_.data() + static_cast<std::size_t>(target % ring_) * sum_size_;
    }

    int bands_;
    bool has_alpha_;
    int width_;
    EvenWeights across_;
    ResampleWeights down_;
    int ring_;
    std::size_t sum_size_;
    std::vector<float> sums_;
    std::vector<float> row_;
    std::vector<float> made_;
    int added_ = 0;
    int taken_ = 0;
};

}  // namespace tessera::imaging
