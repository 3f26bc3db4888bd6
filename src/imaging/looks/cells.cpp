#include "imaging/looks/cells.hpp"

#include <algorithm>

#include "imaging/looks/definition.hpp"

namespace tessera::imaging::looks {
namespace {

std::vector<Term> terms_that_count() {
    std::vector<Term> found;
    for (std::size_t channel = 0; channel < channel_count; ++channel) {
        for (std::size_t scale = 0; scale < scale_count && cell_edge >> scale > 0; ++scale) {
            for (std::size_t i = 0; i < norm_count * map_count; ++i) {
                const Term term{channel, scale, i / map_count, i % map_count,
                                weight_of(channel, scale, i / map_count, i % map_count)};
                if (term.weight >= least_counted_weight) found.push_back(term);
            }
        }
    }
    return found;
}

}  // namespace

const std::vector<Term>& terms() {
    static const std::vector<Term> all = terms_that_count();
    return all;
}

Cells::Cells(std::size_t width, std::size_t height)
    : across_((width + cell_edge - 1) / cell_edge),
      down_((height + cell_edge - 1) / cell_edge),
      sums_(terms().size(), across_ * down_),
      columns_(terms().size(), width) {}

void Cells::add(std::size_t scale, std::size_t channel, std::size_t y, std::size_t height, const ErrorRows& errors,
                std::size_t width) {
    const std::size_t edge = cell_edge >> scale;
    const std::array<const float*, map_count> maps{errors.structure, errors.came, errors.went};
    for (std::size_t i = 0; i < terms().size(); ++i) {
        const Term& term = terms()[i];
        if (term.scale != scale || term.channel != channel) continue;
        const auto add_row = term.norm == 0 ? add_to_columns : add_fourths_to_columns;
        add_row(maps.at(term.map), columns_.row(i), width);
        if ((y + 1) % edge == 0 || y + 1 == height) close_row(i, y / edge, edge, width);
    }
}

void Cells::close_row(std::size_t term, std::size_t row, std::size_t edge, std::size_t width) {
    float* const columns = columns_.row(term);
    float* const cells = sums_.row(term) + row * across_;
    for (std::size_t x = 0; x < width; ++x) cells[x / edge] += columns[x];
    std::fill_n(columns, width, 0.0F);
}

}  // namespace tessera::imaging::looks
