#include "http/metrics/metrics_page.hpp"

#include <prometheus/collectable.h>
#include <prometheus/metric_family.h>
#include <prometheus/text_serializer.h>

#include <iterator>

namespace tessera::http {

void MetricsPage::add(const std::shared_ptr<prometheus::Collectable>& collectable) {
    const std::lock_guard lock(mutex_);
    collectables_.push_back(collectable);
}

std::string MetricsPage::text() const {
    std::vector<prometheus::MetricFamily> families;
    {
        const std::lock_guard lock(mutex_);
        for (const auto& weak : collectables_) {
            const auto collectable = weak.lock();
            if (!collectable) continue;
            auto collected = collectable->Collect();
            families.insert(families.end(), std::make_move_iterator(collected.begin()),
                            std::make_move_iterator(collected.end()));
        }
    }
    return prometheus::TextSerializer().Serialize(families);
}

}  // namespace tessera::http
