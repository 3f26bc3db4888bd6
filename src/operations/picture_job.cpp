#include "operations/picture_job.hpp"

#include <boost/json/array.hpp>
#include <string>
#include <utility>

#include "core/base64.hpp"
#include "imaging/picture/impression.hpp"

namespace tessera::operations {
namespace json = boost::json;

std::vector<std::string_view> picture_format_names() {
    return {"jpeg", "png", "webp", "avif", "jxl"};
}

bool is_written(ImageFormat format) {
    return format != ImageFormat::gif && format != ImageFormat::heif;
}

std::string_view text_option(const json::object& options, std::string_view name) {
    return options.at(name).as_string();
}

int int_option(const json::object& options, std::string_view name) {
    return static_cast<int>(options.at(name).as_int64());
}

double number_option(const json::object& options, std::string_view name, double otherwise) {
    const json::value* value = options.if_contains(name);
    return value == nullptr ? otherwise : value->to_number<double>();
}

bool bool_option(const json::object& options, std::string_view name) {
    return options.at(name).as_bool();
}

ImageFormat format_option(const json::object& options) {
    return image_format_from_string(text_option(options, "format")).value_or(ImageFormat::jpeg);
}

JobError from_error(const Error& error) {
    return {JobErrorCode::storage_unavailable, "files could not be read or written", error.detail};
}

imaging::Source source_of(const RunContext& context, int fd, std::size_t image) {
    imaging::Source source;
    source.fd = fd;
    source.format = context.request.images.at(image).image.format;
    source.max_pixels = context.request.limits.max_input_pixels;
    return source;
}

imaging::SaveContext save_context(const RunContext& context) {
    const auto& images = context.request.images;
    return {context.request.limits.max_artifact_bytes, context.progress, context.cancelled,
            images.empty() ? 0 : seconds_to_decode(images.front().image)};
}

double seconds_to_decode(const ImageInfo& image) {
    const double megapixels = static_cast<double>(image.width) * static_cast<double>(image.height) * 1e-6;
    // Megapixels that one core decodes in a second: roughly, of photographs.
    switch (image.format) {
        case ImageFormat::jpeg: return megapixels / 60;
        case ImageFormat::png:
        case ImageFormat::webp:
        case ImageFormat::gif: return megapixels / 40;
        case ImageFormat::avif:
        case ImageFormat::heif: return megapixels / 15;
        case ImageFormat::jxl: return megapixels / 10;
    }
    return megapixels / 10;
}

json::object picture_metadata(const InputImage& source, ImageFormat format, std::int64_t byte_size) {
    return {
        {"format", to_string(format)},          {"source_format", to_string(source.image.format)},
        {"source_width", source.image.width},   {"source_height", source.image.height},
        {"source_byte_size", source.byte_size}, {"bytes_saved", source.byte_size - byte_size},
    };
}

void add_impression(json::object& metadata, const imaging::SmallPicture& picture) {
    const auto impression = imaging::impression_of(picture);
    if (!impression) return;
    metadata["placeholder"] = {{"thumbhash", to_base64(impression->thumbhash)}, {"blurhash", impression->blurhash}};
    json::array palette;
    for (const Colour& colour : impression->palette) palette.emplace_back(colour.to_string());
    metadata["dominant_color"] = palette.at(0);
    metadata["palette"] = std::move(palette);
}

OutputFile output_of(const RunContext& context, PictureResult result) {
    json::object metadata = picture_metadata(context.request.images.at(0), result.format, result.byte_size);
    for (auto& entry : result.metadata) metadata[entry.key()] = std::move(entry.value());
    OutputFile file;
    file.file = std::move(result.file);
    file.content_type = media_type(result.format);
    file.extension = file_extension(result.format);
    file.width = result.width;
    file.height = result.height;
    file.metadata = std::move(metadata);
    return file;
}

Manifest manifest_of(const RunContext& context, PictureResult result) {
    return {{output_of(context, std::move(result))}, std::nullopt};
}

}  // namespace tessera::operations
