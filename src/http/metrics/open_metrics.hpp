// Families in the text format of OpenMetrics 1.0, which, unlike Prometheus' own, can tell of exemplars.
#pragma once

#include <span>
#include <string>

#include <prometheus/metric_family.h>

#include "http/metrics/exemplar_source.hpp"

namespace tessera::http {

inline constexpr std::string_view open_metrics_type = "application/openmetrics-text; version=1.0.0; charset=utf-8";

std::string to_open_metrics(std::span<const prometheus::MetricFamily> families,
                            std::span<const SeriesExemplars> exemplars);

}  // namespace tessera::http
