#include "tileset_world.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "imaging/picture/probe.hpp"
#include "imaging/pixels/vips_runtime.hpp"
#include "operations/registry.hpp"
#include "support/images.hpp"

namespace tessera::test {
namespace {

std::string contents_of(const std::filesystem::path& path) {
    std::ifstream stream(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

std::size_t open_files() {
    const std::filesystem::directory_iterator descriptors("/proc/self/fd");
    return static_cast<std::size_t>(std::distance(descriptors, std::filesystem::directory_iterator()));
}

}  // namespace

Uuid TilesetWorld::add_asset(const std::string& bytes) {
    if (!imaging::start_vips().ok()) throw std::runtime_error("libvips does not start");
    const auto info = imaging::probe(file_with(bytes).get(), {});
    if (!info) throw std::runtime_error(info.error().message);
    Asset asset;
    asset.id = Uuid::random();
    asset.image = *info;
    asset.byte_size = static_cast<std::int64_t>(bytes.size());
    assets_[asset.id.to_string()] = {asset, bytes};
    return asset.id;
}

operations::SubmitContext TilesetWorld::context() const {
    operations::SubmitContext context;
    context.plan = plan;
    context.find_asset = [this](const Uuid& id) -> Result<Asset> {
        const auto found = assets_.find(id.to_string());
        if (found == assets_.end()) return Error{ErrorCode::asset_not_found, "asset not found", {}};
        return found->second.first;
    };
    context.find_tileset = [this](const Uuid& id) -> Result<Tileset> {
        if (id != id_ || archives_.empty()) return Error{ErrorCode::tileset_not_found, "tileset not found", {}};
        Tileset tileset;
        tileset.id = id_;
        tileset.current = version_;
        return tileset;
    };
    return context;
}

Result<operations::ResolvedRequest> TilesetWorld::accept(const std::string& operation, const std::string& options,
                                                         std::optional<Uuid> asset_id) const {
    const boost::json::value given = boost::json::parse(options);
    return accepted(operation, given, asset_id, context());
}

JobResult<Produced> TilesetWorld::run(const std::string& operation, const std::string& options,
                                      std::optional<Uuid> asset_id) {
    const auto accepted = accept(operation, options, asset_id);
    if (!accepted) throw std::runtime_error(accepted.error().message);
    operations::RunRequest request;
    request.operation = operation;
    request.options = accepted->options;
    request.limits = limits;
    const auto registry = operations::Registry::built_in();
    for (const Uuid& id : registry.find(operation)->images(asset_id, accepted->options)) {
        const Asset& asset = assets_.at(id.to_string()).first;
        request.images.push_back({id, asset.image, asset.byte_size});
    }
    if (accepted->tileset_id) request.tileset = operations::InputTileset{id_, version_};
    const TemporaryFolder folder;
    const operations::RunContext context{
        request,
        folder.path(),
        [&](std::size_t i) -> Result<UniqueFd> {
            most_open_ = std::max(most_open_, open_files());
            return file_with(assets_.at(request.images.at(i).asset_id.to_string()).second);
        },
        [&](std::size_t i) -> Result<UniqueFd> { return file_with(archives_.at(i)); },
        [](double) {},
        [] { return false; }};
    const auto manifest = registry.find(operation)->run(context);
    if (!manifest) return manifest.error();

    const operations::TilesetOutput& tileset = manifest->tileset.value();
    if (!tileset.is_delta) archives_.clear();
    archives_.push_back(contents_of(folder.path() / tileset.file));
    version_.geometry = tileset.geometry;
    version_.tile_count = tileset.tile_count;
    version_.options_json = boost::json::serialize(tileset.options);
    version_.layers.assign(archives_.size(), {});
    return Produced{manifest->artifacts.at(0), contents_of(folder.path() / manifest->artifacts.at(0).file)};
}

Produced TilesetWorld::must(const std::string& operation, const std::string& options, std::optional<Uuid> asset_id) {
    auto produced = run(operation, options, asset_id);
    if (!produced) throw std::runtime_error(produced.error().message + " (" + produced.error().detail + ")");
    return *produced;
}

tiles::Layers TilesetWorld::layers() const {
    tiles::Layers layers;
    for (auto archive = archives_.rbegin(); archive != archives_.rend(); ++archive)
        layers.push_back(open_archive(*archive));
    return layers;
}

}  // namespace tessera::test
