#include "worker/job_meters.hpp"

#include <algorithm>

namespace tessera::worker {

JobMeters::JobMeters(const std::vector<std::string>& operations) {
    for (const std::string& operation : operations) operations_.emplace_back(operation);
    operations_.emplace_back("other");
}

JobMeters::Operation& JobMeters::of(std::string_view operation) {
    const auto found = std::ranges::find(operations_, operation, &Operation::name);
    return found == operations_.end() ? operations_.back() : *found;
}

}  // namespace tessera::worker
