// tile_patch: changes parts of a tileset, as its next version.
#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <string>
#include <utility>

#include "operations/built_in.hpp"
#include "operations/caps.hpp"
#include "operations/fillings.hpp"
#include "operations/named_sources.hpp"
#include "operations/picture_job.hpp"
#include "operations/tile_job.hpp"
#include "tiles/patch/patcher.hpp"

namespace tessera::operations {
namespace json = boost::json;
namespace {

constexpr std::int64_t longest_edge = 1'000'000;
constexpr std::int64_t most_patches = 10'000;

const OptionTable& table() {
    static const OptionTable options{
        tileset("tileset_id", "The tileset to patch: the result is its next version.").required(),
        list("patches", 1, most_patches,
             {integer("x", 0, longest_edge, "Left edge in pixels of the full-size picture.").required(),
              integer("y", 0, longest_edge, "Top edge.").required(),
              integer("width", 1, longest_edge, "Width in pixels.").required(),
              integer("height", 1, longest_edge, "Height in pixels.").required(),
              asset("asset_id",
                    "A picture that fills the patch; the request's own where neither it nor color is given."),
              colour("color", "A colour that fills the patch."),
              choice("fit", {"fill", "cover", "contain"}, "How a picture meets the patch.")
                  .filled_in("fill for a picture")},
             "What to change, in order. Patches lie over what is there, with their transparency.")
            .required(),
    };
    return options;
}

tiles::PixelRect area_of(const json::object& patch) {
    return {patch.at("x").as_int64(), patch.at("y").as_int64(), patch.at("width").as_int64(),
            patch.at("height").as_int64()};
}

bool is_inside(const tiles::PixelRect& area, const TilesetGeometry& geometry) {
    return area.right() <= geometry.width && area.bottom() <= geometry.height;
}

Result<tiles::PyramidShape> shape_of(const TilesetGeometry& geometry) {
    return tiles::PyramidShape::make(geometry.width, geometry.height, geometry.tile_size);
}

// Checks the patches and fills in what depends on others, or on the request's own source.
Result<void> complete_patches(json::object& options, const std::optional<Uuid>& asset_id) {
    json::array& patches = options.at("patches").as_array();
    for (std::size_t i = 0; i < patches.size(); ++i) {
        json::object& patch = patches[i].as_object();
        const std::string name = "patches[" + std::to_string(i) + "]";
        if (patch.contains("color")) {
            if (patch.contains("asset_id")) return invalid_option(name + " has both color and asset_id");
            if (patch.contains("fit")) return invalid_option(name + ".fit is for patches with a picture");
            continue;
        }
        if (!patch.contains("asset_id")) {
            if (!asset_id) return invalid_option(name + " needs color or asset_id");
            patch["asset_id"] = asset_id->to_string();
        }
        if (!patch.contains("fit")) patch["fit"] = "fill";
    }
    return {};
}

Result<void> find_sources(const NormalizedRequest& request, const SubmitContext& context, Workload& work) {
    NamedSources sources(context, work);
    if (request.asset_id) {
        if (auto ok = sources.add(*request.asset_id); !ok) return ok;
    }
    for (const json::value& value : request.options.at("patches").as_array()) {
        const json::object& patch = value.as_object();
        if (!patch.contains("asset_id")) continue;
        const tiles::PixelRect place = area_of(patch);
        auto ok = sources.add(*Uuid::parse(text_option(patch, "asset_id")), {place.width, place.height},
                              text_option(patch, "fit"));
        if (!ok) return ok;
    }
    return {};
}

Result<void> check_inside(const json::array& patches, const TilesetGeometry& geometry) {
    for (std::size_t i = 0; i < patches.size(); ++i) {
        if (is_inside(area_of(patches[i].as_object()), geometry)) continue;
        return invalid_option("patches[" + std::to_string(i) + "] reaches outside the picture of " +
                              std::to_string(geometry.width) + "x" + std::to_string(geometry.height) + " pixels");
    }
    return {};
}

std::int64_t pixels_of(const json::array& patches) {
    std::int64_t pixels = 0;
    for (const json::value& patch : patches) {
        const tiles::PixelRect area = area_of(patch.as_object());
        pixels += area.width * area.height;
    }
    return pixels;
}

// Tiles that the patches can touch: exact where one patch is, at most too many where they overlap.
std::int64_t touched_tiles(const json::array& patches, const tiles::PyramidShape& shape) {
    std::uint64_t count = 0;
    for (int zoom = 0; zoom <= shape.max_zoom(); ++zoom) {
        std::uint64_t touched = 0;
        for (const json::value& patch : patches) {
            touched += shape.tiles_touching(area_of(patch.as_object()), zoom).count();
        }
        count += std::min(touched, std::uint64_t{shape.columns_at(zoom)} * shape.rows_at(zoom));
    }
    return static_cast<std::int64_t>(count);
}

JobResult<std::vector<tiles::Patch>> filled_patches(const RunContext& context, Fillings& fillings) {
    const TilesetGeometry& geometry = context.request.tileset->version.geometry;
    std::vector<tiles::Patch> filled;
    for (const json::value& value : context.request.options.at("patches").as_array()) {
        const json::object& patch = value.as_object();
        const tiles::PixelRect area = area_of(patch);
        // The tileset may have been rebuilt at another size since the job was accepted.
        if (!is_inside(area, geometry)) {
            return JobError{JobErrorCode::operation_invalid, "a patch reaches outside the picture as it is now", ""};
        }
        if (patch.contains("color")) {
            filled.push_back({area, Colour::parse(text_option(patch, "color")).value_or(Colour{})});
            continue;
        }
        const auto raster = fillings.picture(std::string(text_option(patch, "asset_id")), {area.width, area.height},
                                             std::string(text_option(patch, "fit")));
        if (!raster) return raster.error();
        filled.push_back({area, *raster});
    }
    return filled;
}

// The version's archives, which must stay open while they are read.
struct OpenLayers {
    std::vector<UniqueFd> files;
    tiles::Layers topmost_first;
};

JobResult<OpenLayers> open_layers(const RunContext& context) {
    OpenLayers layers;
    for (std::size_t i = context.request.tileset->version.layers.size(); i-- > 0;) {
        auto fd = context.open_layer(i);
        if (!fd) return from_error(fd.error());
        auto archive = tiles::Archive::open(fd->get());
        if (!archive) return tile_job_failed(archive.error());
        layers.files.push_back(std::move(*fd));
        layers.topmost_first.push_back(std::move(*archive));
    }
    return layers;
}

// A patch is encoded as its tileset is.
json::object encoding_options(const TilesetVersion& version) {
    json::object encoding = json::parse(version.options_json).as_object();
    encoding["format"] = to_string(version.geometry.format);
    encoding["tile_size"] = version.geometry.tile_size;
    if (!encoding.contains("background")) encoding["background"] = "#ffffff";
    return encoding;
}

class TilePatch final : public Operation {
  public:
    [[nodiscard]] std::string_view name() const override { return "tile_patch"; }
    [[nodiscard]] std::string_view description() const override {
        return "Changes parts of a tileset and publishes them as its next version.";
    }
    [[nodiscard]] const OptionTable& options() const override { return table(); }
    [[nodiscard]] std::vector<Rule> rules() const override {
        return {{"patches_inside_picture", "A patch must lie within the tileset's full-size picture."},
                {"patches_are_filled", "A patch without color and asset_id needs the request's own asset_id."}};
    }
    [[nodiscard]] Examples examples() const override {
        return {
            .request = R"({"operation": "tile_patch",
                               "options": {"tileset_id": "b1f6d9a0-52a7-4c7c-9a41-0e6d3f8c7704",
                                           "patches": [{"x": 512, "y": 256, "width": 128, "height": 64,
                                                        "color": "#cc3300"},
                                                       {"x": 0, "y": 0, "width": 300, "height": 200, "fit": "cover",
                                                        "asset_id": "2c1a8f66-0d52-4e8b-9f38-6c0a5f1f7b01"}]}})",
            .commands = {
                {R"(map.pmtiles patched.pmtiles --patches '[{"x": 10, "y": 10, "width": 64, "height": 32, "color": "#cc3300"}]')"},
                {"map.pmtiles renewed.pmtiles --patches patches.json --source photo.jpg"}}};
    }
    [[nodiscard]] bool makes_tileset() const override { return true; }
    [[nodiscard]] std::string_view source_description() const override {
        return "The picture of patches that have neither file nor color";
    }
    [[nodiscard]] json::object options_schema() const override {
        json::object schema = table().schema();
        json::object& patch = schema.at("properties").at("patches").at("items").as_object();
        patch["not"] = {{"anyOf", {{{"required", {"color", "asset_id"}}}, {{"required", {"color", "fit"}}}}}};
        return schema;
    }
    [[nodiscard]] bool takes_helpers() const override { return true; }
    [[nodiscard]] SourceUse source_use() const override { return SourceUse::optional; }

    [[nodiscard]] Result<json::object> normalize(const json::object& given,
                                                 const std::optional<Uuid>& asset_id) const override {
        auto options = table().parse(given);
        if (!options) return options;
        if (auto ok = complete_patches(*options, asset_id); !ok) return std::move(ok).error();
        return table().in_order(*options);
    }

    [[nodiscard]] Result<ResolvedRequest> resolve(NormalizedRequest request,
                                                  const SubmitContext& context) const override {
        ResolvedRequest resolved;
        resolved.tileset_id = Uuid::parse(text_option(request.options, "tileset_id"));
        const auto tileset = context.find_tileset(*resolved.tileset_id);
        if (!tileset) return tileset.error();
        const TilesetGeometry& geometry = tileset->current.geometry;
        const auto shape = shape_of(geometry);
        if (!shape) return shape.error();

        const json::array& patches = request.options.at("patches").as_array();
        if (auto ok = check_inside(patches, geometry); !ok) return std::move(ok).error();
        Workload work;
        if (auto ok = find_sources(request, context, work); !ok) return std::move(ok).error();
        work.patches = static_cast<std::int64_t>(patches.size());
        work.patched_pixels = pixels_of(patches);
        work.tiles = touched_tiles(patches, *shape);
        if (auto ok = check_caps(work, context); !ok) return std::move(ok).error();

        resolved.operation = name();
        resolved.options = std::move(request.options);
        resolved.asset_id = request.asset_id;
        resolved.credits = credits_for_pixels(work.patched_pixels);
        resolved.heavy = is_heavy(work, context.worker);
        return resolved;
    }

    [[nodiscard]] Result<ProductPlan> plan(const RunRequest& request) const override {
        if (!request.tileset) return internal_error("a patch of no tileset");
        const TilesetVersion& version = request.tileset->version;
        return ProductPlan{std::nullopt, PlannedTileset{version.geometry, version.tile_count,
                                                        kept_options(encoding_options(version))}};
    }

    [[nodiscard]] JobResult<Manifest> run(const RunContext& context) const override {
        if (!context.request.tileset) return JobError{JobErrorCode::source_unavailable, "the tileset is gone", ""};
        const TilesetVersion& version = context.request.tileset->version;
        const auto shape = shape_of(version.geometry);
        if (!shape) return tile_job_failed(shape.error());
        Fillings fillings(context);
        const auto patches = filled_patches(context, fillings);
        if (!patches) return patches.error();
        const auto layers = open_layers(context);
        if (!layers) return layers.error();

        const json::object encoding = encoding_options(version);
        tiles::ArchiveInfo info;
        info.geometry = version.geometry;
        info.options_json = json::serialize(kept_options(encoding));
        info.delta = true;
        for (const tiles::Patch& patch : *patches) info.patched.push_back(patch.area);
        tiles::ArchiveWriter delta(info, context.scratch);
        if (auto patched = tiles::patch_tileset(layers->topmost_first, *shape, *patches, fillings.rasters(),
                                                pyramid_options(context, encoding), delta);
            !patched) {
            return std::move(patched).error();
        }
        return finish_archive(context, delta, version.geometry, encoding, version.tile_count);
    }
};

}  // namespace

std::unique_ptr<Operation> make_tile_patch() {
    return std::make_unique<TilePatch>();
}

}  // namespace tessera::operations
