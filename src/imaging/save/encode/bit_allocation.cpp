#include "imaging/save/encode/bit_allocation.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <span>
#include <vector>

#include "codecs/vp8/tables.hpp"

namespace tessera::imaging {
namespace {

// A step of half the size does not halve the error, and what is best for one macroblock is seen in others: so much of
// the logarithm of what a bit makes up for goes to that of the step. All of these were found by comparing photographs.
// Twice of this share looks no better by SSIMULACRA 2, and worse by butteraugli, which has no part in the search.
constexpr double share_for_step = 0.12;
constexpr double most_for_step = 0.6;
// A macroblock that is hard to tell takes more bits for the same change of its step, but not as many as it has.
constexpr double bits_beside_levels = 40;
// Beside the mean of all: what is less is noise.
constexpr double least_share = 0.05;
// Errors are seen around where they are: what a neighbour counts.
constexpr double share_of_neighbour = 0.4;

double mean_of(std::span<const double> values) {
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

// Each value with those of its eight neighbours.
std::vector<double> with_neighbours(const std::vector<double>& values, std::size_t across) {
    const auto columns = static_cast<std::ptrdiff_t>(across);
    const auto rows = static_cast<std::ptrdiff_t>(values.size() / across);
    std::vector<double> smooth(values.size());
    for (std::ptrdiff_t y = 0; y < rows; ++y) {
        for (std::ptrdiff_t x = 0; x < columns; ++x) {
            double sum = 0;
            double weights = 0;
            for (std::ptrdiff_t v = std::max<std::ptrdiff_t>(y - 1, 0); v <= std::min(y + 1, rows - 1); ++v) {
                for (std::ptrdiff_t u = std::max<std::ptrdiff_t>(x - 1, 0); u <= std::min(x + 1, columns - 1); ++u) {
                    const double weight = (u == x ? 1 : share_of_neighbour) * (v == y ? 1 : share_of_neighbour);
                    sum += weight * values[static_cast<std::size_t>(v * columns + u)];
                    weights += weight;
                }
            }
            smooth[static_cast<std::size_t>(y * columns + x)] = sum / weights;
        }
    }
    return smooth;
}

// Beside their mean, and not much less than it.
void make_relative(std::vector<double>& values) {
    const double mean = mean_of(values);
    for (double& value : values) value = mean > 0 ? std::max(value / mean, least_share) : 1;
}

}  // namespace

codecs::vp8::Segments allocate_bits(const codecs::vp8::Encoder& encoder, const looks::ErrorMap& looks) {
    const codecs::vp8::Segments& before = encoder.segments();
    std::vector<double> sizes(encoder.sizes().begin(), encoder.sizes().end());
    std::vector<double> efforts(sizes.size());
    std::transform(sizes.begin(), sizes.end(), efforts.begin(),
                   [](double size) { return std::sqrt(size + bits_beside_levels); });
    std::vector<double> errors = with_neighbours(looks.errors(looks), looks.across());
    efforts = with_neighbours(efforts, looks.across());
    make_relative(errors);
    make_relative(efforts);
    make_relative(sizes);

    std::vector<double> changes(sizes.size());
    double moved = 0;
    double weights = 0;
    for (std::size_t i = 0; i < changes.size(); ++i) {
        changes[i] = -share_for_step * std::log(errors[i] / efforts[i]);
        // Bytes would stay as they are if sizes had all of the weight, and looks if errors had it.
        const double weight = errors[i] + sizes[i];
        moved += weight * changes[i];
        weights += weight;
    }
    std::vector<float> steps(changes.size());
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const double step = codecs::vp8::ac_steps[before.all[before.of[i]].quantiser];
        steps[i] = static_cast<float>(std::log(step) +
                                      std::clamp(changes[i] - moved / weights, -most_for_step, most_for_step));
    }
    return codecs::vp8::segments_for_steps(steps);
}

}  // namespace tessera::imaging
