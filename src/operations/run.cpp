#include "operations/run.hpp"

#include <boost/json/array.hpp>
#include <boost/json/value_to.hpp>
#include <exception>
#include <utility>

namespace tessera::operations {
namespace json = boost::json;
namespace {

std::string text(const json::object& object, std::string_view key) {
    return std::string(std::string_view(object.at(key).as_string()));
}

template <typename T>
T number(const json::object& object, std::string_view key) {
    return object.at(key).to_number<T>();
}

ImageFormat format(const json::object& object) {
    const auto found = image_format_from_string(text(object, "format"));
    if (!found) throw std::invalid_argument("format");
    return *found;
}

Uuid id(const json::object& object, std::string_view key) {
    const auto found = Uuid::parse(text(object, key));
    if (!found) throw std::invalid_argument("uuid");
    return *found;
}

json::object to_json(const InputImage& input) {
    return {{"asset_id", input.asset_id.to_string()},
            {"format", to_string(input.image.format)},
            {"width", input.image.width},
            {"height", input.image.height},
            {"pages", input.image.pages},
            {"has_alpha", input.image.has_alpha},
            {"bits_per_sample", input.image.bits_per_sample},
            {"colour_space", input.image.colour_space},
            {"byte_size", input.byte_size}};
}

InputImage input_image(const json::object& object) {
    InputImage input;
    input.asset_id = id(object, "asset_id");
    input.image.format = format(object);
    input.image.width = number<std::int64_t>(object, "width");
    input.image.height = number<std::int64_t>(object, "height");
    input.image.pages = number<int>(object, "pages");
    input.image.has_alpha = object.at("has_alpha").as_bool();
    input.image.bits_per_sample = number<int>(object, "bits_per_sample");
    input.image.colour_space = text(object, "colour_space");
    input.byte_size = number<std::int64_t>(object, "byte_size");
    return input;
}

json::object to_json(const TilesetGeometry& geometry) {
    return {{"format", to_string(geometry.format)},
            {"tile_size", geometry.tile_size},
            {"width", geometry.width},
            {"height", geometry.height},
            {"min_zoom", geometry.min_zoom},
            {"max_zoom", geometry.max_zoom}};
}

TilesetGeometry geometry(const json::object& object) {
    return {format(object),
            number<int>(object, "tile_size"),
            number<std::int64_t>(object, "width"),
            number<std::int64_t>(object, "height"),
            number<int>(object, "min_zoom"),
            number<int>(object, "max_zoom")};
}

// Storage keys stay with the host: an engine gets open files.
json::object to_json(const InputTileset& tileset) {
    json::array layers;
    for (const TilesetLayer& layer : tileset.version.layers) layers.emplace_back(layer.byte_size);
    return {{"id", tileset.id.to_string()},
            {"version", tileset.version.version},
            {"geometry", to_json(tileset.version.geometry)},
            {"tile_count", tileset.version.tile_count},
            {"options", tileset.version.options_json},
            {"layers", std::move(layers)}};
}

InputTileset input_tileset(const json::object& object) {
    InputTileset tileset;
    tileset.id = id(object, "id");
    tileset.version.version = number<std::int64_t>(object, "version");
    tileset.version.geometry = geometry(object.at("geometry").as_object());
    tileset.version.tile_count = number<std::int64_t>(object, "tile_count");
    tileset.version.options_json = text(object, "options");
    for (const json::value& size : object.at("layers").as_array()) {
        tileset.version.layers.push_back({"", size.to_number<std::int64_t>()});
    }
    return tileset;
}

json::object to_json(const RunLimits& limits) {
    return {{"max_input_pixels", limits.max_input_pixels},
            {"max_output_pixels", limits.max_output_pixels},
            {"max_result_pixels", limits.max_result_pixels},
            {"max_result_edge", limits.max_result_edge},
            {"max_artifact_bytes", limits.max_artifact_bytes},
            {"time_budget_ms", static_cast<std::int64_t>(limits.time_budget.count())},
            {"threads", limits.threads},
            {"helpers", limits.helpers}};
}

RunLimits run_limits(const json::object& object) {
    RunLimits limits;
    limits.max_input_pixels = number<std::int64_t>(object, "max_input_pixels");
    limits.max_output_pixels = number<std::int64_t>(object, "max_output_pixels");
    limits.max_result_pixels = number<std::int64_t>(object, "max_result_pixels");
    limits.max_result_edge = number<std::int64_t>(object, "max_result_edge");
    limits.max_artifact_bytes = number<std::int64_t>(object, "max_artifact_bytes");
    limits.time_budget = std::chrono::milliseconds(number<std::int64_t>(object, "time_budget_ms"));
    limits.threads = number<int>(object, "threads");
    limits.helpers = number<int>(object, "helpers");
    return limits;
}

json::object to_json(const OutputFile& file) {
    return {{"file", file.file},           {"kind", file.kind},   {"content_type", file.content_type},
            {"extension", file.extension}, {"width", file.width}, {"height", file.height},
            {"metadata", file.metadata}};
}

OutputFile output_file(const json::object& object) {
    return {text(object, "file"),
            text(object, "kind"),
            text(object, "content_type"),
            text(object, "extension"),
            number<std::int64_t>(object, "width"),
            number<std::int64_t>(object, "height"),
            object.at("metadata").as_object()};
}

TilesetOutput tileset_output(const json::object& object) {
    return {text(object, "file"), object.at("is_delta").as_bool(), geometry(object.at("geometry").as_object()),
            number<std::int64_t>(object, "tile_count"), object.at("options").as_object()};
}

// Boost.JSON throws on a missing key or a wrong type; here is where that ends.
template <typename Read>
auto guarded(std::string_view what, Read&& read) -> Result<decltype(read())> {
    try {
        return read();
    } catch (const std::exception& exception) {
        return internal_error(std::string(what) + " is malformed: " + exception.what());
    }
}

}  // namespace

json::object to_json(const RunRequest& request) {
    json::array images;
    for (const InputImage& image : request.images) images.emplace_back(to_json(image));
    json::object object{{"operation", request.operation},
                        {"options", request.options},
                        {"images", std::move(images)},
                        {"limits", to_json(request.limits)}};
    if (request.tileset) object["tileset"] = to_json(*request.tileset);
    return object;
}

Result<RunRequest> run_request_from_json(const json::object& object) {
    return guarded("a run request", [&] {
        RunRequest request;
        request.operation = text(object, "operation");
        request.options = object.at("options").as_object();
        for (const json::value& image : object.at("images").as_array()) {
            request.images.push_back(input_image(image.as_object()));
        }
        request.limits = run_limits(object.at("limits").as_object());
        if (const json::value* tileset = object.if_contains("tileset")) {
            request.tileset = input_tileset(tileset->as_object());
        }
        return request;
    });
}

json::object to_json(const Manifest& manifest) {
    json::array artifacts;
    for (const OutputFile& file : manifest.artifacts) artifacts.emplace_back(to_json(file));
    json::object object{{"artifacts", std::move(artifacts)}};
    if (manifest.tileset) {
        object["tileset"] = {{"file", manifest.tileset->file},
                             {"is_delta", manifest.tileset->is_delta},
                             {"geometry", to_json(manifest.tileset->geometry)},
                             {"tile_count", manifest.tileset->tile_count},
                             {"options", manifest.tileset->options}};
    }
    return object;
}

Result<Manifest> manifest_from_json(const json::object& object) {
    return guarded("a manifest", [&] {
        Manifest manifest;
        for (const json::value& file : object.at("artifacts").as_array()) {
            manifest.artifacts.push_back(output_file(file.as_object()));
        }
        if (const json::value* tileset = object.if_contains("tileset")) {
            manifest.tileset = tileset_output(tileset->as_object());
        }
        return manifest;
    });
}

}  // namespace tessera::operations
