#include "operations/tile_job.hpp"

#include <string>
#include <utility>

#include "operations/picture_job.hpp"

namespace tessera::operations {
namespace json = boost::json;

Option tile_format_option() {
    return choice("format", {"png", "jpeg", "webp"}, "Format of the tiles.").with_role(OptionRole::result_format);
}

Option tile_quality_option() {
    return integer("quality", 1, 100, "Quality of jpeg and webp tiles.").defaults_to(80);
}

Option tile_size_option() {
    return one_of("tile_size", {256, 512}, "Width and height of a tile in pixels.").defaults_to(256);
}

Option tile_background_option() {
    return colour("background",
                  "What shows through transparency and around the picture in edge tiles. Opaque for jpeg; opaque or "
                  "fully transparent for png and webp.")
        .filled_in("white for jpeg, otherwise transparent");
}

Result<void> complete_background(json::object& options) {
    const bool known = options.contains("format");
    const bool jpeg = known && text_option(options, "format") == "jpeg";
    if (!options.contains("background")) {
        if (known) options["background"] = jpeg ? "#ffffff" : "#00000000";
        return {};
    }
    const Colour background = background_of(options);
    if (background.opaque()) return {};
    if (jpeg) return invalid_option("background must be opaque for jpeg tiles");
    if (background.alpha != 0) return invalid_option("background must be opaque or fully transparent");
    options["background"] = "#00000000";  // no colour can be seen: one spelling for all of them
    return {};
}

Colour background_of(const json::object& options) {
    return Colour::parse(text_option(options, "background")).value_or(Colour{255, 255, 255, 255});
}

imaging::TileEncoding encoding_of(const json::object& options) {
    const auto* quality = options.if_contains("quality");
    return {format_option(options), quality == nullptr ? 80 : static_cast<int>(quality->as_int64())};
}

TilesetGeometry geometry_of(const tiles::PyramidShape& shape, ImageFormat format) {
    return {format, shape.tile_size(), shape.size().width, shape.size().height, 0, shape.max_zoom()};
}

tiles::PyramidOptions pyramid_options(const RunContext& context, const json::object& options) {
    tiles::PyramidOptions pyramid;
    pyramid.tile_size = int_option(options, "tile_size");
    pyramid.encoding = encoding_of(options);
    pyramid.background = background_of(options);
    pyramid.threads = context.request.limits.threads;
    pyramid.helpers = context.request.limits.helpers;
    pyramid.max_bytes = static_cast<std::uint64_t>(context.request.limits.max_artifact_bytes);
    if (context.progress) pyramid.progress = context.progress;
    if (context.cancelled) pyramid.cancelled = context.cancelled;
    return pyramid;
}

json::object kept_options(const json::object& options) {
    json::object kept;
    for (const std::string_view name : {"quality", "background"}) {
        if (const auto* value = options.if_contains(name)) kept[name] = *value;
    }
    return kept;
}

JobError tile_job_failed(const Error& error) {
    if (error.code == ErrorCode::storage_unavailable) return from_error(error);
    return {JobErrorCode::internal_error, "internal error", error.detail};
}

JobResult<Manifest> finish_archive(const RunContext& context, tiles::ArchiveWriter& archive,
                                   const TilesetGeometry& geometry, const json::object& options,
                                   std::optional<std::int64_t> version_tiles) {
    const std::filesystem::path path = context.scratch / archive_file;
    const auto written = archive.finish(path);
    if (!written) return tile_job_failed(written.error());
    if (written->byte_size > static_cast<std::uint64_t>(context.request.limits.max_artifact_bytes)) {
        return JobError{JobErrorCode::artifact_too_large, "the tiles take more bytes than allowed", ""};
    }
    if (context.progress) context.progress(1);

    TilesetOutput tileset{std::string(archive_file), version_tiles.has_value(), geometry,
                          version_tiles.value_or(static_cast<std::int64_t>(written->tile_count)),
                          kept_options(options)};
    OutputFile file = archive_artifact(std::string(archive_file), geometry);
    file.metadata = tileset_metadata(tileset, {written->tile_count, written->content_count});
    return Manifest{{std::move(file)}, std::move(tileset)};
}

OutputFile archive_artifact(std::string name, const TilesetGeometry& geometry) {
    OutputFile file;
    file.file = std::move(name);
    file.content_type = archive_media_type;
    file.extension = "pmtiles";
    file.width = geometry.width;
    file.height = geometry.height;
    return file;
}

json::object tileset_metadata(const TilesetOutput& tileset, const tiles::ArchiveContents& contents) {
    json::object metadata{{"format", to_string(tileset.geometry.format)},
                          {"tile_size", tileset.geometry.tile_size},
                          {"min_zoom", tileset.geometry.min_zoom},
                          {"max_zoom", tileset.geometry.max_zoom},
                          {"tile_count", tileset.tile_count},
                          {"stored_tiles", contents.stored}};
    if (tileset.is_delta) metadata["patched_tiles"] = static_cast<std::int64_t>(contents.tiles);
    return metadata;
}

}  // namespace tessera::operations
