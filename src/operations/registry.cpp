#include "operations/registry.hpp"

#include <stdexcept>
#include <string>
#include <utility>

#include "operations/built_in.hpp"
#include "operations/compare.hpp"
#include "operations/cut.hpp"
#include "operations/more.hpp"
#include "operations/suggestion.hpp"
#include "operations/view.hpp"

namespace tessera::operations {
namespace {

Result<void> check_source_use(const Operation& operation, const std::optional<Uuid>& asset_id) {
    if (operation.source_use() == SourceUse::required && !asset_id) {
        return Error{ErrorCode::invalid_request, std::string(operation.name()) + " requires asset_id", {}}.with_hint(
            "upload an image with POST /v1/assets and name the id that it answers with");
    }
    if (operation.source_use() == SourceUse::refused && asset_id) {
        return Error{ErrorCode::invalid_request, std::string(operation.name()) + " takes no asset_id", {}}.with_hint(
            "leave asset_id out, or name it inside the options that have one");
    }
    return {};
}

}  // namespace

Registry Registry::built_in() {
    Registry registry;
    registry.add(make_resize());
    registry.add(make_optimize());
    registry.add(make_tile());
    registry.add(make_grid_render());
    registry.add(make_tile_patch());
    registry.inner_.push_back(make_compare());
    registry.inner_.push_back(make_cut());
    registry.inner_.push_back(make_view());
    add_more(registry);
    return registry;
}

void Registry::add(std::unique_ptr<Operation> operation) {
    if (find_runnable(operation->name()) != nullptr) {
        throw std::logic_error("two operations are named " + std::string(operation->name()));
    }
    operations_.push_back(std::move(operation));
}

const Operation* Registry::find(std::string_view name) const {
    for (const auto& operation : operations_) {
        if (operation->name() == name) return operation.get();
    }
    return nullptr;
}

const Operation* Registry::find_runnable(std::string_view name) const {
    for (const auto& operation : inner_) {
        if (operation->name() == name) return operation.get();
    }
    return find(name);
}

std::string_view Registry::example(std::string_view Examples::*part) const {
    for (const auto& operation : operations_) {
        if (const Examples examples = operation->examples(); !(examples.*part).empty()) return examples.*part;
    }
    return {};
}

Error Registry::unsupported(std::string_view name) const {
    std::vector<std::string_view> names;
    for (const auto& operation : operations_) names.push_back(operation->name());
    std::string hint = "operation must be " + one_of_these(names);
    if (const auto near = nearest(name, names)) hint += "; did you mean '" + std::string(*near) + "'?";
    return Error{ErrorCode::unsupported_operation, "unsupported operation", {}}.with_hint(std::move(hint));
}

Result<NormalizedRequest> Registry::normalize(std::string_view operation, const boost::json::value* options,
                                              const std::optional<Uuid>& asset_id) const {
    const Operation* found = find(operation);
    if (found == nullptr) return unsupported(operation);
    if (options == nullptr || !options->is_object()) {
        return Error{ErrorCode::options_required, "options object is required", {}};
    }
    if (auto ok = check_source_use(*found, asset_id); !ok) return std::move(ok).error();
    auto normalized = found->normalize(options->get_object(), asset_id);
    if (!normalized) return std::move(normalized).error();
    return NormalizedRequest{std::string(operation), asset_id, std::move(*normalized)};
}

Result<ResolvedRequest> Registry::resolve(NormalizedRequest request, const SubmitContext& context) const {
    const Operation* operation = find(request.operation);
    return operation->resolve(std::move(request), context);
}

Result<ResolvedRequest> Registry::accept(std::string_view operation, const boost::json::value& options,
                                         const std::optional<Uuid>& asset_id, const SubmitContext& context) const {
    auto request = normalize(operation, &options, asset_id);
    if (!request) return std::move(request).error();
    return resolve(std::move(*request), context);
}

Result<ProductPlan> Registry::plan(const RunRequest& request) const {
    const Operation* found = find_runnable(request.operation);
    if (found == nullptr) return internal_error("no operation " + request.operation);
    try {  // of a request that was not accepted, options and sources may be missing
        return found->plan(request);
    } catch (const std::exception& problem) {
        return internal_error("no plan for " + request.operation + ": " + problem.what());
    }
}

}  // namespace tessera::operations
