#include "engine/host/task_outcomes.hpp"

#include <algorithm>

#include "operations/registry.hpp"

namespace tessera::engine {

TaskOutcomes& TaskOutcomes::of_process() {
    static TaskOutcomes outcomes;
    return outcomes;
}

TaskOutcomes::TaskOutcomes() {
    const operations::Registry operations = operations::Registry::built_in();
    for (const auto& operation : operations.all()) works_.emplace_back(std::string(operation->name()));
    for (const char* name : {"probe", "preview", "cut", "view", "other"}) works_.emplace_back(name);
}

TaskOutcomes::Work& TaskOutcomes::of(std::string_view work) {
    const auto found = std::ranges::find(works_, work, &Work::name);
    return found == works_.end() ? works_.back() : *found;
}

}  // namespace tessera::engine
