#include "operations/operation.hpp"

#include <unordered_set>

namespace tessera::operations {
namespace json = boost::json;

std::vector<Uuid> Operation::images(const std::optional<Uuid>& asset_id, const json::object& given) const {
    std::vector<Uuid> ids;
    std::unordered_set<Uuid> seen;
    const auto add = [&](const std::optional<Uuid>& id) {
        if (id && seen.insert(*id).second) ids.push_back(*id);
    };
    add(asset_id);
    visit_role(options().rows(), given, OptionRole::asset, [&](const json::object& object, const Option& row) {
        const json::value* named = object.if_contains(row.name);
        if (named != nullptr && named->is_string()) add(Uuid::parse(std::string_view(named->get_string())));
    });
    return ids;
}

}  // namespace tessera::operations
