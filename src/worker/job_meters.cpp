#include "worker/job_meters.hpp"

#include <algorithm>

#include "operations/registry.hpp"

namespace tessera::worker {

JobMeters::JobMeters(const operations::Registry& operations) {
    for (const auto& operation : operations.all()) operations_.emplace_back(std::string(operation->name()));
    operations_.emplace_back("other");
}

JobMeters::Operation& JobMeters::of(std::string_view operation) {
    const auto found = std::ranges::find(operations_, operation, &Operation::name);
    return found == operations_.end() ? operations_.back() : *found;
}

}  // namespace tessera::worker
