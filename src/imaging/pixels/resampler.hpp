// Inside imaging only: brings a picture to another size with Lanczos-3, row by row. In floating point throughout, so
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

struct PixelKind {
    int bands = 0;           // one to four
    bool has_alpha = false;  // whether the last of them is the opacity
    bool deep = false;       // whether a sample has two bytes, and not one
};

class Resampler {
  public:
    Resampler(Size from, Size to, PixelKind kind) : Resampler(from, Part::whole(from), to, kind) {}
    // The same of a part of it.
    Resampler(Size from, const Part& part, Size to, PixelKind kind);

    // How many rows of the source the next row needs, from its beginning.
    [[nodiscard]] int rows_needed() const;
    [[nodiscard]] int rows_added() const { return added_; }
    void add(const std::uint8_t* row);
    void take(std::uint8_t* out);

  private:
    [[nodiscard]] float* in_ring(int row) { return rows_.data() + static_cast<std::size_t>(row % ring_) * row_size_; }
    void add_to_sums();
    void sum_rows();

    PixelKind kind_;
    float brightest_;
    int width_;
    EvenWeights across_;
    ResampleWeights down_;
    // Whether there are more rows than before: source rows are then resampled across and kept for the few target rows
    // that take them. Otherwise what is kept is the sums of the few target rows that a source row is part of.
    bool grows_down_;
    int ring_;
    std::size_t row_size_;
    std::vector<float> rows_;  // a ring
    std::vector<float> row_;
    std::vector<float> made_;
    int added_ = 0;
    int taken_ = 0;
};

}  // namespace tessera::imaging
