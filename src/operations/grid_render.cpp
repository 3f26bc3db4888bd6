// grid_render: a canvas with grid lines and filled blocks, as tiles and, where it is not too large, as a picture.
#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>
#include <string>
#include <utility>

#include "imaging/pixels/painted_image.hpp"
#include "operations/built_in.hpp"
#include "operations/caps.hpp"
#include "operations/fillings.hpp"
#include "operations/named_sources.hpp"
#include "operations/picture_job.hpp"
#include "operations/tile_job.hpp"
#include "tiles/pyramid/grid_pyramid.hpp"
#include "tiles/pyramid/grid_scene.hpp"

namespace tessera::operations {
namespace json = boost::json;
namespace {

constexpr std::int64_t longest_edge = 1'000'000;
constexpr std::int64_t most_blocks = 10'000;
// Pictures in blocks may lie over one another, but not so deep that the scratch space of a job has no bound.
constexpr std::int64_t deepest_overlap = 4;

const OptionTable& table() {
    static const OptionTable options{
        integer("width", 1, longest_edge, "Width of the canvas in pixels.").required(),
        integer("height", 1, longest_edge, "Height of the canvas in pixels.").required(),
        integer("block_width", 1, longest_edge, "Width of a cell of the grid.").required(),
        integer("block_height", 1, longest_edge, "Height of a cell of the grid.").filled_in("block_width"),
        tile_format_option().defaults_to("png"),
        tile_quality_option(),
        tile_size_option(),
        colour("background", "The canvas. Opaque for jpeg.").defaults_to("#ffffff"),
        colour("line_color", "The grid's lines.").defaults_to("#000000"),
        integer("line_width", 0, longest_edge,
                "Width of the lines: each cell starts with one, and one closes the canvas. 0: no lines.")
            .defaults_to(1),
        choice("artifact", {picture_kind, archive_kind},
               "What the artifact is: the rendered picture or the archive of tiles.")
            .with_role(OptionRole::result_kind)
            .filled_in("picture where it is within the limits on pictures, otherwise archive"),
        list("blocks", 0, most_blocks,
             {integer("column", 0, longest_edge, "The first column that the block fills, from 0.").required(),
              integer("row", 0, longest_edge, "The first row.").required(),
              integer("columns", 1, longest_edge, "How many columns.").defaults_to(1),
              integer("rows", 1, longest_edge, "How many rows.").defaults_to(1),
              colour("color", "Fills the block. One of color and asset_id is required."),
              asset("asset_id", "A picture that fills the block."),
              choice("fit", {"cover", "contain", "fill"}, "How a picture meets the block.")
                  .filled_in("cover for a picture")},
             "Filled cells. A block covers the lines between its own cells; later blocks lie over earlier ones.")
            .defaults_to(json::array{}),
    };
    return options;
}

std::int64_t number(const json::object& options, std::string_view name) {
    return options.at(name).as_int64();
}

tiles::GridDesign design_of(const json::object& options) {
    tiles::GridDesign design;
    design.size = {number(options, "width"), number(options, "height")};
    design.block_width = number(options, "block_width");
    design.block_height = number(options, "block_height");
    design.line_width = number(options, "line_width");
    design.background = background_of(options);
    design.line = Colour::parse(text_option(options, "line_color")).value_or(Colour{});
    return design;
}

tiles::PixelRect whole_area(const tiles::GridDesign& design, const json::object& block) {
    return tiles::grid_block_area(design, number(block, "column"), number(block, "row"), number(block, "columns"),
                                  number(block, "rows"));
}

// What of a block is on the canvas and inside its closing lines.
tiles::PixelRect cut_area(const tiles::GridDesign& design, const json::object& block) {
    const std::int64_t line = design.line_width;
    return tiles::intersect(whole_area(design, block), {0, 0, design.size.width - line, design.size.height - line});
}

Result<void> check_block(const tiles::GridDesign& design, const json::object& block, const std::string& name) {
    const bool has_colour = block.contains("color");
    if (has_colour == block.contains("asset_id")) return invalid_option(name + " needs color or asset_id, one of them");
    if (has_colour && block.contains("fit")) return invalid_option(name + ".fit is for blocks with asset_id");
    const auto cells = [](std::int64_t length, std::int64_t cell) { return (length + cell - 1) / cell; };
    const std::int64_t columns = cells(design.size.width, design.block_width);
    const std::int64_t rows = cells(design.size.height, design.block_height);
    if (number(block, "column") + number(block, "columns") > columns ||
        number(block, "row") + number(block, "rows") > rows) {
        return invalid_option(name + " reaches outside the grid of " + std::to_string(columns) + "x" +
                              std::to_string(rows) + " blocks");
    }
    return {};
}

// Checks the blocks and fills in what depends on others.
Result<void> complete_blocks(json::object& options) {
    const tiles::GridDesign design = design_of(options);
    std::int64_t picture_pixels = 0;
    json::array& blocks = options.at("blocks").as_array();
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        json::object& block = blocks[i].as_object();
        const std::string name = "blocks[" + std::to_string(i) + "]";
        if (auto ok = check_block(design, block, name); !ok) return ok;
        if (block.contains("color")) continue;
        if (!block.contains("fit")) block["fit"] = "cover";
        const auto area = cut_area(design, block);
        picture_pixels += area.width * area.height;
    }
    if (picture_pixels > deepest_overlap * design.size.width * design.size.height) {
        return invalid_option("blocks with pictures overlap too deeply")
            .with_hint("together they may cover " + std::to_string(deepest_overlap) + " times the canvas");
    }
    return {};
}

Result<void> find_sources(const json::object& options, const SubmitContext& context, Workload& work) {
    const tiles::GridDesign design = design_of(options);
    NamedSources sources(context, work);
    for (const json::value& value : options.at("blocks").as_array()) {
        const json::object& block = value.as_object();
        if (!block.contains("asset_id")) continue;
        const tiles::PixelRect place = whole_area(design, block);
        auto ok = sources.add(*Uuid::parse(text_option(block, "asset_id")), {place.width, place.height},
                              text_option(block, "fit"));
        if (!ok) return ok;
    }
    return {};
}

Result<tiles::PyramidShape> shape_of(const json::object& options) {
    const auto shape = tiles::PyramidShape::make(number(options, "width"), number(options, "height"),
                                                 int_option(options, "tile_size"));
    if (!shape) return invalid_option("the canvas can't be cut into tiles");
    return *shape;
}

// The canvas as one file. Where it exists as tiles only, it is not held to the limits on pictures.
Workload picture_of(const json::object& options) {
    return {{}, number(options, "width"), number(options, "height"), format_option(options)};
}

JobResult<tiles::GridDesign> filled_design(const RunContext& context, Fillings& fillings) {
    const json::object& options = context.request.options;
    tiles::GridDesign design = design_of(options);
    for (const json::value& value : options.at("blocks").as_array()) {
        const json::object& block = value.as_object();
        tiles::GridBlock filled{cut_area(design, block), Colour{}};
        if (block.contains("color")) {
            filled.filling = Colour::parse(text_option(block, "color")).value_or(Colour{});
        } else {
            const tiles::PixelRect whole = whole_area(design, block);
            const auto raster = fillings.picture(std::string(text_option(block, "asset_id")),
                                                 {whole.width, whole.height}, std::string(text_option(block, "fit")));
            if (!raster) return raster.error();
            filled.filling = *raster;
        }
        design.blocks.push_back(filled);
    }
    return design;
}

// Of the progress, where a picture is made after the tiles.
constexpr double tiles_share = 0.5;

// The canvas as one file.
JobResult<OutputFile> render_picture(const RunContext& context, const tiles::GridScene& scene) {
    const json::object& options = context.request.options;
    const tiles::GridDesign& design = scene.design();
    const ImageFormat format = format_option(options);
    const bool has_alpha = format != ImageFormat::jpeg && !design.background.opaque();
    const auto all = scene.all_blocks();
    auto image = imaging::painted({design.size.width, design.size.height}, has_alpha,
                                  [&](std::int64_t x, std::int64_t y, ImageBuffer& out) {
                                      const tiles::PixelRect part{x, y, out.width(), out.height()};
                                      return scene.paint(part, scene.seen_in(part, all), out);
                                  });
    if (!image) return image.error();
    imaging::Encoding encoding;
    encoding.format = format;
    encoding.quality = int_option(options, "quality");
    encoding.threads = context.request.limits.threads;
    encoding.time_budget = context.request.limits.time_budget;
    OutputFile file;
    file.file = "grid." + std::string(file_extension(format));
    imaging::SaveContext saving = save_context(context);
    saving.progress = imaging::part_of(context.progress, tiles_share, 1);
    saving.pixels_expected_s = 0;  // painted as they are asked for
    const auto size = imaging::save(*image, context.scratch / file.file, encoding, saving);
    if (!size) return size.error();
    file.content_type = media_type(format);
    file.extension = file_extension(format);
    file.width = design.size.width;
    file.height = design.size.height;
    return file;
}

class GridRender final : public Operation {
  public:
    [[nodiscard]] std::string_view name() const override { return "grid_render"; }
    [[nodiscard]] std::string_view description() const override {
        return "Draws a grid with coloured and picture-filled blocks, as tiles and as a picture.";
    }
    [[nodiscard]] const OptionTable& options() const override { return table(); }
    [[nodiscard]] std::vector<Rule> rules() const override {
        return {{"opaque_background", "background must be opaque for jpeg."},
                {"lines_inside_blocks", "line_width must be less than block_width and block_height."},
                {"blocks_inside_grid",
                 "A block must end within the columns and rows that the canvas has, the last of which may be cut."},
                {"overlap", "Blocks with pictures must not cover more than four times the canvas together."},
                edges_of_formats};
    }
    [[nodiscard]] Examples examples() const override {
        return {.request = R"({"operation": "grid_render",
                               "options": {"width": 1200, "height": 800, "block_width": 100, "format": "png",
                                           "blocks": [{"column": 2, "row": 1, "color": "#2266aa"},
                                                      {"column": 4, "row": 2, "columns": 3, "rows": 2,
                                                       "asset_id": "2c1a8f66-0d52-4e8b-9f38-6c0a5f1f7b01"}]}})",
                .commands = {{R"(grid.png --width 1200 --height 800 --block-width 100 --background "#ffffff")"},
                             {"board.pmtiles --width 4096 --height 4096 --block-width 64 --blocks blocks.json"}}};
    }
    [[nodiscard]] bool makes_tileset() const override { return true; }
    [[nodiscard]] json::object options_schema() const override {
        json::object schema = table().schema();
        json::object& block = schema.at("properties").at("blocks").at("items").as_object();
        block["oneOf"] = {{{"required", {"color"}}}, {{"required", {"asset_id"}}}};
        block["dependentRequired"] = {{"fit", {"asset_id"}}};
        return schema;
    }
    [[nodiscard]] bool takes_helpers() const override { return true; }
    [[nodiscard]] SourceUse source_use() const override { return SourceUse::refused; }

    [[nodiscard]] Result<json::object> normalize(const json::object& given, const std::optional<Uuid>&) const override {
        auto options = table().parse(given);
        if (!options) return options;
        if (!options->contains("block_height")) (*options)["block_height"] = options->at("block_width");
        if (format_option(*options) == ImageFormat::jpeg && !background_of(*options).opaque()) {
            return invalid_option("background must be opaque for jpeg");
        }
        const tiles::GridDesign design = design_of(*options);
        if (design.line_width >= std::min(design.block_width, design.block_height)) {
            return invalid_option("line_width must be less than a block's width and height");
        }
        if (auto ok = complete_blocks(*options); !ok) return std::move(ok).error();
        if (auto shape = shape_of(*options); !shape) return std::move(shape).error();
        return table().in_order(*options);
    }

    [[nodiscard]] Result<ResolvedRequest> resolve(NormalizedRequest request,
                                                  const SubmitContext& context) const override {
        json::object options = std::move(request.options);
        if (!options.contains("artifact")) {
            options["artifact"] = check_caps(picture_of(options), context).ok() ? picture_kind : archive_kind;
        }
        Workload work;
        if (text_option(options, "artifact") == picture_kind) work = picture_of(options);
        if (auto ok = find_sources(options, context, work); !ok) return std::move(ok).error();
        const auto shape = shape_of(options);
        if (!shape) return shape.error();
        work.canvas_pixels = number(options, "width") * number(options, "height");
        work.tiles = static_cast<std::int64_t>(shape->tile_count());
        if (auto ok = check_caps(work, context); !ok) return std::move(ok).error();

        ResolvedRequest resolved;
        resolved.operation = name();
        resolved.options = table().in_order(options);
        resolved.credits = credits_for_pixels(work.canvas_pixels);
        // Tiles of a plain grid cost next to nothing; a picture of it costs what its pixels do.
        resolved.heavy = is_heavy(work, context.worker);
        return resolved;
    }

    [[nodiscard]] Result<ProductPlan> plan(const RunRequest& request) const override {
        const json::object& options = request.options;
        const tiles::PixelSize size = design_of(options).size;
        const auto shape = tiles::PyramidShape::make(size.width, size.height, int_option(options, "tile_size"));
        if (!shape) return shape.error();
        ProductPlan plan;
        plan.tileset = {geometry_of(*shape, format_option(options)), std::nullopt, kept_options(options)};
        if (text_option(options, "artifact") == picture_kind) {
            plan.picture = {{format_option(options)}, size.width, size.height};
        }
        return plan;
    }

    [[nodiscard]] JobResult<Manifest> run(const RunContext& context) const override {
        const json::object& options = context.request.options;
        Fillings fillings(context);
        auto design = filled_design(context, fillings);
        if (!design) return design.error();
        const tiles::GridScene scene(std::move(*design), fillings.rasters());
        const tiles::PixelSize size = scene.design().size;
        const auto shape = tiles::PyramidShape::make(size.width, size.height, int_option(options, "tile_size"));
        if (!shape) return tile_job_failed(shape.error());

        tiles::ArchiveInfo info;
        info.geometry = geometry_of(*shape, format_option(options));
        info.options_json = json::serialize(kept_options(options));
        tiles::ArchiveWriter archive(info, context.scratch);
        const bool archive_only = text_option(options, "artifact") == archive_kind;
        RunContext tiling = context;
        if (!archive_only) tiling.progress = imaging::part_of(context.progress, 0, tiles_share);
        if (auto rendered = tiles::render_grid(scene, pyramid_options(tiling, options), archive); !rendered) {
            return std::move(rendered).error();
        }
        auto manifest = finish_archive(tiling, archive, info.geometry, options);
        if (!manifest || archive_only) return manifest;
        auto picture = render_picture(context, scene);
        if (!picture) return picture.error();
        picture->metadata = manifest->artifacts.at(0).metadata;
        manifest->artifacts.at(0) = std::move(*picture);
        return manifest;
    }
};

}  // namespace

std::unique_ptr<Operation> make_grid_render() {
    return std::make_unique<GridRender>();
}

}  // namespace tessera::operations
