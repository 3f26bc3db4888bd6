// Inside imaging/looks only: the loops over rows of floats that take all of its time, vectorised.
#pragma once

#include <array>
#include <cstddef>

#include "imaging/looks/definition.hpp"

namespace tessera::imaging::looks {

// One row of each of three planes.
using ThreeRows = std::array<float*, 3>;
using ThreeConstRows = std::array<const float*, 3>;

// Linear red, green and blue to X, Y and B.
void to_xyb(const ThreeConstRows& linear, const ThreeRows& xyb, std::size_t width);

void multiply(const float* a, const float* b, float* product, std::size_t width);

// One row of each of three planes.
void blur_across(const ThreeConstRows& rows, const ThreeRows& blurred, std::size_t width, const BlurRecursion& by);
// One step down a plane of one of the recursions: the row that leaves the blur and the one that comes to it. Its last
// two results are its own, and zero at first. What it finds is added to `blurred`.
void blur_down(const float* leaves, const float* comes, float* last, float* before, float* blurred, std::size_t width,
               float gain, float turn);

// Two rows of a picture as one of half the width, rounded up.
void halve(const float* above, const float* below, float* half, std::size_t width);

// One row of one channel of both pictures (a: the reference), and the blurs around it.
struct RowPair {
    const float* a = nullptr;
    const float* b = nullptr;
    const float* mean_a = nullptr;
    const float* mean_b = nullptr;
    const float* square_a = nullptr;
    const float* square_b = nullptr;
    const float* product = nullptr;
};
// How far structure differs, and edges that b has and a lacks, or the other way round: each 0 where all is well.
struct ErrorRows {
    float* structure = nullptr;
    float* came = nullptr;
    float* went = nullptr;
};
void errors_of(const RowPair& rows, const ErrorRows& errors, std::size_t width);

// Each value of a row, or its fourth power, added to that of its column.
void add_to_columns(const float* row, float* columns, std::size_t width);
void add_fourths_to_columns(const float* row, float* columns, std::size_t width);

struct Norms {
    double sum = 0;
    double fourth_powers = 0;
};
void add_norms(const float* row, std::size_t width, Norms& norms);

}  // namespace tessera::imaging::looks
