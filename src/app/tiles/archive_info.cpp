#include "app/tiles/archive_info.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <optional>
#include <string_view>

#include "core/image_format.hpp"
#include "core/plain_numbers.hpp"

namespace tessera::app {
namespace {

namespace json = boost::json;

std::string format_of(const tiles::Archive& archive) {
    const auto format = tiles::pmtiles::format_of(archive.header().tile_type);
    return format ? std::string(to_string(*format)) : "other";
}

std::string range(std::int64_t first, std::int64_t last) {
    return first == last ? std::to_string(first) : std::to_string(first) + " to " + std::to_string(last);
}

std::string_view kind_of(const tiles::Archive& archive) {
    if (archive.is_delta()) return "what a patch changed: of no use without the tiles below it";
    return archive.geometry() ? "a whole picture" : "made by another program";
}

}  // namespace

ArchiveInfo::ArchiveInfo(std::string path) : path_(std::move(path)), file_(open_archive_file(path_)) {}

std::string ArchiveInfo::for_people() const {
    const tiles::Archive& archive = *file_.archive;
    const auto& header = archive.header();
    const auto& geometry = archive.geometry();
    std::string text = path_ + "\n";
    const auto line = [&](std::string label, const std::string& value) {
        label.resize(9, ' ');
        text += "  " + label + value + "\n";
    };
    line("kind", std::string(kind_of(archive)));
    if (geometry)
        line("picture", std::to_string(geometry->width) + " x " + std::to_string(geometry->height) + " pixels");
    const std::string side = geometry ? std::to_string(geometry->tile_size) : "";
    line("tiles", std::to_string(header.addressed_tiles) + " " + format_of(archive) +
                      (geometry ? " of " + side + " x " + side + " pixels" : "") +
                      (header.tile_contents > 0 && header.tile_contents < header.addressed_tiles
                           ? ", " + std::to_string(header.tile_contents) + " of them different"
                           : ""));
    line("zooms", range(header.min_zoom, header.max_zoom));
    line("file", std::to_string(must(size_of(file_.file->get()))) + " bytes, PMTiles 3");
    return text;
}

std::string ArchiveInfo::for_programs() const {
    const tiles::Archive& archive = *file_.archive;
    const auto& header = archive.header();
    json::object all{{"file", path_},
                     {"byte_size", must(size_of(file_.file->get()))},
                     {"format", format_of(archive)},
                     {"min_zoom", header.min_zoom},
                     {"max_zoom", header.max_zoom},
                     {"tile_count", header.addressed_tiles},
                     {"different_tiles", header.tile_contents},
                     {"is_delta", archive.is_delta()}};
    if (const auto& geometry = archive.geometry()) {
        all["width"] = geometry->width;
        all["height"] = geometry->height;
        all["tile_size"] = geometry->tile_size;
    }
    boost::system::error_code not_json;
    all["metadata"] = json::parse(archive.metadata_json(), not_json);
    return with_plain_numbers(json::serialize(all));
}

}  // namespace tessera::app
