// Input: the name of an operation up to the first line feed, then its options as JSON. Whatever comes, the answer is a
// short message or a request; a normalised request is the same when normalised again, and what was accepted is accepted
// again as it is.
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "operations/registry.hpp"

namespace {

namespace json = boost::json;
using namespace tessera;
using namespace tessera::operations;

const Uuid one_asset = Uuid::parse("0190aaaa-0000-7000-8000-000000000001").value();

SubmitContext context_with_one_asset() {
    Asset asset;
    asset.id = one_asset;
    asset.image = {ImageFormat::png, 640, 480, 1, true, 8, "srgb"};
    SubmitContext context;
    context.find_asset = [asset](const Uuid&) -> Result<Asset> { return asset; };
    context.find_tileset = [](const Uuid&) -> Result<Tileset> {
        return Error{ErrorCode::tileset_not_found, "tileset not found", {}};
    };
    return context;
}

void require(bool holds) {
    if (!holds) std::abort();
}

bool is_short(const Error& error) {
    return !error.message.empty() && error.message.size() < 400;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const Registry registry = Registry::built_in();
    static const SubmitContext context = context_with_one_asset();
    const std::string_view input(reinterpret_cast<const char*>(data), size);
    const auto newline = input.find('\n');
    if (newline == std::string_view::npos) return 0;
    boost::system::error_code failed;
    const json::value options = json::parse(input.substr(newline + 1), failed);
    if (failed) return 0;

    const std::string_view operation = input.substr(0, newline);
    const Operation* known = registry.find(operation);
    const bool takes_none = known != nullptr && known->source_use() == SourceUse::refused;
    const std::optional<Uuid> asset_id = takes_none ? std::nullopt : std::optional(one_asset);
    const auto normalized = registry.normalize(operation, &options, asset_id);
    if (!normalized) {
        require(is_short(normalized.error()));
        return 0;
    }
    const json::value once(normalized->options);
    require(json::serialize(registry.normalize(operation, &once, asset_id)->options) == json::serialize(once));

    const auto first = registry.resolve(*normalized, context);
    if (!first) {
        require(is_short(first.error()));
        return 0;
    }
    const json::value accepted(first->options);
    const auto again = registry.normalize(operation, &accepted, asset_id);
    require(again.ok());
    const auto second = registry.resolve(*again, context);
    require(second.ok());
    require(json::serialize(second->options) == json::serialize(first->options));
    require(first->credits >= 1);
    return 0;
}
