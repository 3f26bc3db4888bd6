#include "codecs/jpeg/looks_table.hpp"

#include <algorithm>
#include <cmath>

#include "codecs/jpeg/zigzag.hpp"

namespace tessera::codecs {
namespace {

// Logarithms of steps as a curve over frequency: r is the distance from the mean, 1 for the lowest frequencies.
struct Curve {
    double mean;      // the step of the mean of a block, beside that of the lowest frequency
    double lowest;    // where r is 1
    double slope;     // for each r
    double bend;      // for each tenth of r²
    double diagonal;  // more where neither horizontal nor vertical
};

// Colour at half resolution has steps as fine as luma's, since what is left of it shows; at full resolution most of its
// frequencies hardly do.
const Curve& curve_of(Plane plane, bool halved) {
    static constexpr Curve luma{-0.03, 2.5, 0.25, -0.03, 0.35};
    static constexpr Curve halved_blue{-0.3, 2.6, 0.25, -0.05, 0.45};
    static constexpr Curve halved_red{-0.1, 2.47, 0.2, -0.025, 0.0};
    static constexpr Curve full_blue{-0.38, 3.0, 0.3, -0.05, 0.3};
    static constexpr Curve full_red{-0.3, 3.05, 0.31, -0.05, 0.2};
    if (plane == Plane::luma) return luma;
    if (plane == Plane::blue) return halved ? halved_blue : full_blue;
    return halved ? halved_red : full_red;
}

// By how much steps are coarser than the IJG's rule for a quality would have them, so that each quality looks as the
// IJG's tables do there: found on photographs at 40, 60, 80, 90 and 95.
double coarser(double quality) {
    return quality > 80 ? std::max(0.1, 0.2 - 0.01 * (quality - 80)) : 0.2 - 0.0025 * (80 - quality);
}

struct Frequency {
    int across;
    int down;

    [[nodiscard]] double distance() const { return std::hypot(across, down); }
};

Frequency frequency(std::size_t at) {
    const auto index = static_cast<int>(at);
    return {index % 8, index / 8};
}

double log_step(const Curve& curve, std::size_t at) {
    if (at == 0) return curve.lowest + curve.mean;
    const Frequency place = frequency(at);
    const double r = place.distance();
    const double diagonal = 2.0 * place.across * place.down / (r * r) * std::min(r, 8.0) / 8;
    const double beyond = r - 1;
    return curve.lowest + curve.slope * beyond + curve.bend * beyond * beyond / 10 + curve.diagonal * diagonal;
}

}  // namespace

QuantTable looks_table(Plane plane, bool halved, double quality) {
    const double percent = quality < 50 ? 5000.0 / quality : 200.0 - quality * 2;
    const double scale = std::log(std::max(percent, 1.0) / 100) + coarser(quality);
    QuantTable table{};
    for (std::size_t i = 0; i < table.size(); ++i) {
        const double step = std::exp(log_step(curve_of(plane, halved), i) + scale);
        table[i] = static_cast<std::uint16_t>(std::clamp(std::lround(step), 1L, 255L));
    }
    return table;
}

FrequencyWeights looks_weights(Plane plane) {
    const double rise = plane == Plane::luma ? 0.5 : 0.0;
    FrequencyWeights weights{};
    for (std::size_t k = 0; k < weights.size(); ++k) {
        weights[k] = static_cast<float>(std::exp(rise * (frequency(zigzag[k]).distance() - 4) / 4));
    }
    return weights;
}

}  // namespace tessera::codecs
