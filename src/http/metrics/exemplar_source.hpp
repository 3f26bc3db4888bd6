// Who collects metrics may also know traces that stand for a histogram's buckets.
#pragma once

#include <vector>

#include "core/exemplars.hpp"
#include "http/metrics/metric_table.hpp"

namespace tessera::http {

struct SeriesExemplars {
    Metric metric;  // a histogram
    MetricLabels labels;
    Exemplars::Buckets buckets;
};

class ExemplarSource {
  public:
    virtual ~ExemplarSource() = default;
    // Of series without one nothing is said.
    [[nodiscard]] virtual std::vector<SeriesExemplars> exemplars() const = 0;
};

// Adds the series to the list, unless none of its buckets has one.
void add_exemplars(std::vector<SeriesExemplars>& to, SeriesExemplars series);

}  // namespace tessera::http
