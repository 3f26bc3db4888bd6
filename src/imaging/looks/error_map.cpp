#include "imaging/looks/error_map.hpp"

#include <algorithm>
#include <cmath>

namespace tessera::imaging::looks {
namespace {

std::size_t compared_edge(int edge) {
    return static_cast<std::size_t>(std::max(edge, smallest_edge));
}

// How fast a term's part of the error grows with what one of its pixels adds to its sum.
double slope_of(const Term& term, const ScaleSums& sums) {
    if (sums.pixels == 0) return 0;
    const auto pixels = static_cast<double>(sums.pixels);
    if (term.norm == 0) return term.weight / pixels;
    const double mean = sums.maps.at(term.channel).at(term.map).fourth_powers / pixels;
    return mean > 0 ? term.weight / (4 * std::pow(mean, 0.75) * pixels) : 0;
}

}  // namespace

ErrorMap::ErrorMap(const Pixels& reference, const Pixels& candidate)
    : cells_(compared_edge(reference.width), compared_edge(reference.height)) {
    compare_over(backgrounds[0], reference, candidate, sums_, &cells_);
}

std::vector<double> ErrorMap::errors(const ErrorMap& around) const {
    std::vector<double> errors(cells_.across() * cells_.down());
    for (std::size_t i = 0; i < terms().size(); ++i) {
        const double slope = slope_of(terms()[i], around.sums_.at(terms()[i].scale));
        const float* const sums = cells_.sums_of(i);
        for (std::size_t cell = 0; cell < errors.size(); ++cell) {
            errors[cell] += slope * static_cast<double>(sums[cell]);
        }
    }
    return errors;
}

}  // namespace tessera::imaging::looks
