#include "http/metrics/metrics_page.hpp"

#include <prometheus/collectable.h>
#include <prometheus/metric_family.h>
#include <prometheus/text_serializer.h>

#include <iterator>

#include "http/metrics/open_metrics.hpp"

namespace tessera::http {
namespace {

std::vector<prometheus::MetricFamily> families_of(
    const std::vector<std::shared_ptr<prometheus::Collectable>>& collectables) {
    std::vector<prometheus::MetricFamily> families;
    for (const auto& collectable : collectables) {
        auto collected = collectable->Collect();
        families.insert(families.end(), std::make_move_iterator(collected.begin()),
                        std::make_move_iterator(collected.end()));
    }
    return families;
}

}  // namespace

void MetricsPage::add(const std::shared_ptr<prometheus::Collectable>& collectable) {
    const std::lock_guard lock(mutex_);
    collectables_.push_back(collectable);
}

std::vector<std::shared_ptr<prometheus::Collectable>> MetricsPage::those_there() const {
    std::vector<std::shared_ptr<prometheus::Collectable>> there;
    const std::lock_guard lock(mutex_);
    for (const auto& weak : collectables_) {
        if (auto collectable = weak.lock()) there.push_back(std::move(collectable));
    }
    return there;
}

std::string MetricsPage::text() const {
    return prometheus::TextSerializer().Serialize(families_of(those_there()));
}

std::string MetricsPage::open_metrics() const {
    const auto there = those_there();
    std::vector<SeriesExemplars> exemplars;
    for (const auto& collectable : there) {
        const auto* source = dynamic_cast<const ExemplarSource*>(collectable.get());
        if (source == nullptr) continue;
        for (SeriesExemplars& series : source->exemplars()) exemplars.push_back(std::move(series));
    }
    return to_open_metrics(families_of(there), exemplars);
}

}  // namespace tessera::http
