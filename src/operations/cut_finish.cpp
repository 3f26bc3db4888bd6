#include "operations/cut_finish.hpp"

#include <fcntl.h>

#include <string>
#include <utility>

#include "core/file.hpp"
#include "imaging/tile/encoder.hpp"
#include "imaging/tile/finishing.hpp"
#include "operations/picture_job.hpp"

namespace tessera::operations {
namespace json = boost::json;
namespace {

constexpr int result_quality = 85;  // of jpeg and webp
constexpr std::int64_t most_bytes_per_pixel = 6;

Result<void> write_file(const std::filesystem::path& path, std::span<const std::uint8_t> bytes) {
    const UniqueFd file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
    if (!file) return from_errno(path.string());
    return write_all(file.get(), bytes);
}

JobError not_made(std::string detail) {
    return {JobErrorCode::internal_error, "the picture could not be made", std::move(detail)};
}

}  // namespace

void add_finish(json::object& options, const CutFinish& finish) {
    options["mirrored"] = finish.mirrored;
    options["turned"] = finish.turned;
    options["colours"] = static_cast<int>(finish.colours);
    options["format"] = to_string(finish.format);
}

CutFinish finish_in(const json::object& options) {
    return {bool_option(options, "mirrored"), int_option(options, "turned"),
            static_cast<PictureColours>(options.at("colours").as_int64()), format_option(options)};
}

PlannedPicture planned_cut(std::int64_t width, std::int64_t height, const CutFinish& finish) {
    const bool swaps = finish.turned % 180 != 0;
    return PlannedPicture{
        .formats = {finish.format}, .width = swaps ? height : width, .height = swaps ? width : height};
}

std::int64_t most_bytes_of_cut(std::int64_t pixels) {
    return (std::int64_t{1} << 16) + most_bytes_per_pixel * pixels;
}

JobResult<Manifest> write_cut(const RunContext& context, const ImageBuffer& rgba, const CutFinish& finish) {
    ImageBuffer picture = imaging::reduced(rgba, finish.colours, finish.format != ImageFormat::jpeg);
    if (finish.mirrored || finish.turned != 0) picture = imaging::oriented(picture, finish.mirrored, finish.turned);
    const auto encoder = imaging::TileEncoder::make({.format = finish.format, .quality = result_quality});
    if (!encoder) return not_made(encoder.error().detail);
    const auto bytes = (*encoder)->encode(picture.view());
    if (!bytes) return not_made(bytes.error().detail);
    const std::string name = "picture";
    if (auto written = write_file(context.scratch / name, *bytes); !written) return from_error(written.error());
    OutputFile made;
    made.file = name;
    made.content_type = media_type(finish.format);
    made.extension = file_extension(finish.format);
    made.width = picture.width();
    made.height = picture.height();
    return Manifest{{std::move(made)}, std::nullopt};
}

}  // namespace tessera::operations
