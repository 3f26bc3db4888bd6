// tile: a pyramid of tiles from one picture.
#include <boost/json/serialize.hpp>
#include <string>
#include <utility>

#include "imaging/tile/source.hpp"
#include "operations/built_in.hpp"
#include "operations/caps.hpp"
#include "operations/picture_job.hpp"
#include "operations/tile_job.hpp"

namespace tessera::operations {
namespace json = boost::json;
namespace {

const OptionTable& table() {
    static const OptionTable options{
        tile_format_option().filled_in("jpeg; png for a source with alpha"),
        tile_quality_option(),
        tile_size_option(),
        tile_background_option(),
        one_of("rotate", {0, 90, 180, 270}, "Degrees that the picture is turned clockwise.").defaults_to(0),
        object("preprocess",
               {boolean("normalize",
                        "Stretch the contrast, so that the darkest and lightest hundredths become black and white.")
                    .defaults_to(false),
                boolean("sharpen", "Sharpen edges gently.").defaults_to(false),
                boolean("grayscale", "Take the colour away.").defaults_to(false)},
               "Steps before the picture is cut, in the order grayscale, normalize, sharpen.")
            .defaults_to(json::object{{"normalize", false}, {"sharpen", false}, {"grayscale", false}}),
        tileset("tileset_id", "A tileset to rebuild: the result is its next version."),
    };
    return options;
}

// The picture's pyramid as it will be, once turned.
Result<tiles::PyramidShape> shape_of(const ImageInfo& image, const json::object& options) {
    const bool swapped = int_option(options, "rotate") % 180 != 0;
    return tiles::PyramidShape::make(swapped ? image.height : image.width, swapped ? image.width : image.height,
                                     int_option(options, "tile_size"));
}

imaging::TileSource tile_source(const RunContext& context, int fd) {
    const json::object& options = context.request.options;
    const json::object& steps = options.at("preprocess").as_object();
    imaging::TileSource wanted;
    wanted.source = source_of(context, fd);
    wanted.rotate = int_option(options, "rotate");
    wanted.preprocess = {bool_option(steps, "normalize"), bool_option(steps, "sharpen"),
                         bool_option(steps, "grayscale")};
    wanted.background = background_of(options);
    wanted.scratch = context.scratch;
    const imaging::TileEncoding encoding = encoding_of(options);
    if (encoding.format == ImageFormat::jpeg) {
        const bool full_colour = encoding.quality >= imaging::full_colour_jpeg_quality;
        wanted.planes = full_colour ? imaging::JpegPlanes::any : imaging::JpegPlanes::halved;
    }
    return wanted;
}

class Tile final : public Operation {
  public:
    [[nodiscard]] std::string_view name() const override { return "tile"; }
    [[nodiscard]] std::string_view description() const override {
        return "Cuts a picture into a pyramid of tiles for web viewers.";
    }
    [[nodiscard]] const OptionTable& options() const override { return table(); }
    [[nodiscard]] std::vector<Rule> rules() const override {
        return {{"tile_background",
                 "background must be opaque for jpeg tiles, and opaque or fully transparent for png and webp."}};
    }
    [[nodiscard]] Examples examples() const override {
        return {.request = R"({"asset_id": "2c1a8f66-0d52-4e8b-9f38-6c0a5f1f7b01", "operation": "tile",
                               "options": {"format": "webp", "tile_size": 512}})",
                .commands = {{"map.png city.pmtiles", HelpOf::program},
                             {"photo.jpg photo.pmtiles --format webp --quality 75 --tile-size 512"}}};
    }
    [[nodiscard]] bool makes_tileset() const override { return true; }
    [[nodiscard]] bool takes_helpers() const override { return true; }

    [[nodiscard]] Result<json::object> normalize(const json::object& given, const std::optional<Uuid>&) const override {
        auto options = table().parse(given);
        if (!options) return options;
        if (auto ok = complete_background(*options); !ok) return std::move(ok).error();
        return table().in_order(*options);
    }

    [[nodiscard]] Result<ResolvedRequest> resolve(NormalizedRequest request,
                                                  const SubmitContext& context) const override {
        const auto asset = context.find_asset(*request.asset_id);
        if (!asset) return asset.error();
        json::object options = std::move(request.options);
        if (!options.contains("format")) options["format"] = asset->image.has_alpha ? "png" : "jpeg";
        if (auto ok = complete_background(options); !ok) return std::move(ok).error();
        const auto shape = shape_of(asset->image, options);
        if (!shape) return invalid_option("the picture can't be cut into tiles");

        ResolvedRequest resolved;
        if (const auto* id = options.if_contains("tileset_id")) {
            resolved.tileset_id = Uuid::parse(std::string_view(id->as_string()));
            const auto tileset = context.find_tileset(*resolved.tileset_id);
            if (!tileset) return tileset.error();
        }
        // The result is tiles, not one large picture: caps on pictures that are written do not apply.
        Workload work;
        work.inputs = {asset->image};
        work.tiles = static_cast<std::int64_t>(shape->tile_count());
        if (auto ok = check_caps(work, context); !ok) return std::move(ok).error();

        resolved.operation = name();
        resolved.options = table().in_order(options);
        resolved.asset_id = asset->id;
        resolved.credits = credits_for_pixels(asset->image.width * asset->image.height);
        resolved.heavy = is_heavy(work, context.worker);
        return resolved;
    }

    [[nodiscard]] Result<ProductPlan> plan(const RunRequest& request) const override {
        const auto shape = shape_of(request.images.at(0).image, request.options);
        if (!shape) return shape.error();
        const TilesetGeometry geometry = geometry_of(*shape, format_option(request.options));
        return ProductPlan{std::nullopt, PlannedTileset{geometry, std::nullopt, kept_options(request.options)}};
    }

    [[nodiscard]] JobResult<Manifest> run(const RunContext& context) const override {
        const auto fd = context.open_image(0);
        if (!fd) return from_error(fd.error());
        const json::object& options = context.request.options;
        auto source = imaging::open_tile_source(tile_source(context, fd->get()));
        if (!source) return source.error();
        const auto shape =
            tiles::PyramidShape::make((*source)->width(), (*source)->height(), int_option(options, "tile_size"));
        if (!shape) return tile_job_failed(shape.error());

        tiles::ArchiveInfo info;
        info.geometry = geometry_of(*shape, format_option(options));
        info.options_json = json::serialize(kept_options(options));
        tiles::ArchiveWriter archive(info, context.scratch);
        // Some decoders give no row before they have them all.
        const ImageInfo& image = context.request.images.at(0).image;
        constexpr double pace = 8;  // megapixels of tiles that one core makes in a second
        const double megapixels = static_cast<double>(image.width) * static_cast<double>(image.height) * 1e-6;
        imaging::Progress progress(context.progress, {seconds_to_decode(image), megapixels / pace});
        tiles::PyramidOptions pyramid = pyramid_options(context, options);
        pyramid.progress = [&](double share) { progress.rest(share); };
        if (auto built = tiles::build_pyramid(**source, pyramid, archive); !built) {
            return std::move(built).error();
        }
        return finish_archive(context, archive, info.geometry, options);
    }
};

}  // namespace

std::unique_ptr<Operation> make_tile() {
    return std::make_unique<Tile>();
}

}  // namespace tessera::operations
