// What tile, grid_render and tile_patch share: the options that say how tiles are encoded, and the archive as a
// product.
#pragma once

#include <boost/json/object.hpp>
#include <filesystem>

#include "core/colour.hpp"
#include "imaging/tile/encoder.hpp"
#include "operations/option_table.hpp"
#include "operations/run.hpp"
#include "tiles/archive/check.hpp"
#include "tiles/archive/writer.hpp"
#include "tiles/archive/xyz.hpp"
#include "tiles/pyramid/pyramid.hpp"

namespace tessera::operations {

inline constexpr std::string_view archive_file = "tileset.pmtiles";
inline constexpr std::string_view archive_media_type = "application/vnd.pmtiles";

// The rows that every table of a tile operation has.
Option tile_format_option();
Option tile_quality_option();
Option tile_size_option();
Option tile_background_option();

// Fills in a background that fits the format, and refuses one that does not: opaque for jpeg, opaque or fully
// transparent for the others. A format that is not known yet asks for no more than all formats do.
Result<void> complete_background(boost::json::object& options);
Colour background_of(const boost::json::object& options);
imaging::TileEncoding encoding_of(const boost::json::object& options);

TilesetGeometry geometry_of(const tiles::PyramidShape& shape, ImageFormat format);
tiles::PyramidOptions pyramid_options(const RunContext& context, const boost::json::object& options);

// The options that a later patch needs to encode alike.
boost::json::object kept_options(const boost::json::object& options);

// Finishes the archive in the scratch folder, checks its size and describes it as primary artifact and tileset. A delta
// belongs to a version of `version_tiles` tiles.
JobResult<Manifest> finish_archive(const RunContext& context, tiles::ArchiveWriter& archive,
                                   const TilesetGeometry& geometry, const boost::json::object& options,
                                   std::optional<std::int64_t> version_tiles = std::nullopt);

// An archive as an artifact, and what users want to know of the tileset that it is of.
OutputFile archive_artifact(std::string name, const TilesetGeometry& geometry);
boost::json::object tileset_metadata(const TilesetOutput& tileset, const tiles::ArchiveContents& contents);

JobError tile_job_failed(const Error& error);

}  // namespace tessera::operations
