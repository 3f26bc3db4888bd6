// Input: the name of an operation up to the first line feed, then its options as JSON. Whatever comes, the answer is a
// short message or a request; and a request's own options, submitted again, are the same request.
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

SubmitContext context_with_one_asset() {
    Asset asset;
    asset.id = Uuid::parse("0190aaaa-0000-7000-8000-000000000001").value();
    asset.image = {ImageFormat::png, 640, 480, 1, true, 8, "srgb"};
    SubmitContext context;
    context.asset_id = asset.id;
    context.find_asset = [asset](const Uuid&) -> Result<Asset> { return asset; };
    context.find_tileset = [](const Uuid&) -> Result<Tileset> {
        return Error{ErrorCode::tileset_not_found, "tileset not found", {}};
    };
    return context;
}

void require(bool holds) {
    if (!holds) std::abort();
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

    const auto first = registry.normalize(input.substr(0, newline), &options, context);
    if (!first) {
        require(!first.error().message.empty() && first.error().message.size() < 400);
        return 0;
    }
    const json::value again(first->options);
    const auto second = registry.normalize(input.substr(0, newline), &again, context);
    require(second.ok());
    require(json::serialize(second->options) == json::serialize(first->options));
    require(first->credits >= 1);
    return 0;
}
