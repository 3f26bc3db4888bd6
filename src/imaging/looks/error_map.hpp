// Where two pictures look unlike each other: what SSIMULACRA 2 finds, by squares of 16 pixels. For an encoder that is
// to know where bits are missed.
#pragma once

#include <cstddef>
#include <vector>

#include "imaging/looks/likeness.hpp"

namespace tessera::imaging::looks {

class ErrorMap {
  public:
    // Pictures of one size, without alpha.
    ErrorMap(const Pixels& reference, const Pixels& candidate);

    // As Likeness has it, but for what weighs next to nothing, which is not computed.
    [[nodiscard]] double score() const { return score_of(sums_); }

    [[nodiscard]] std::size_t across() const { return cells_.across(); }
    [[nodiscard]] std::size_t down() const { return cells_.down(); }
    // What each square adds to the error of all, row by row. Norms are not sums of what squares add; near those of
    // `around` they nearly are, so that the errors of two maps can be subtracted from each other.
    [[nodiscard]] std::vector<double> errors(const ErrorMap& around) const;

  private:
    Sums sums_{};
    Cells cells_;
};

}  // namespace tessera::imaging::looks
