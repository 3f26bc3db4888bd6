#include "operations/cut.hpp"

#include <algorithm>
#include <boost/json/array.hpp>
#include <numeric>
#include <string>
#include <utility>

#include "core/file.hpp"
#include "imaging/tile/decoder.hpp"
#include "imaging/tile/window_scaler.hpp"
#include "operations/picture_job.hpp"

namespace tessera::operations {
namespace json = boost::json;
namespace {

constexpr std::string_view operation_name = "cut";

JobError damaged(std::string detail) {
    return {JobErrorCode::internal_error, "the picture could not be made", std::move(detail)};
}

CutRequest cut_in(const RunRequest& request) {
    const json::object& options = request.options;
    CutRequest cut;
    cut.tile_format = request.images.at(0).image.format;
    cut.tile_size = int_option(options, "tile_size");
    cut.columns = options.at("columns").as_int64();
    for (const json::value& length : options.at("lengths").as_array()) cut.lengths.push_back(length.as_int64());
    cut.x = options.at("x").to_number<double>();
    cut.y = options.at("y").to_number<double>();
    cut.width = options.at("shown_width").to_number<double>();
    cut.height = options.at("shown_height").to_number<double>();
    cut.result_width = options.at("width").as_int64();
    cut.result_height = options.at("height").as_int64();
    cut.finish = finish_in(options);
    return cut;
}

bool is_possible(const CutRequest& cut, const RunLimits& limits) {
    if (cut.columns < 1 || cut.tile_size < 1 || cut.lengths.empty()) return false;
    const auto tiles = static_cast<std::int64_t>(cut.lengths.size());
    const std::int64_t rows = tiles / cut.columns;
    return tiles % cut.columns == 0 && tiles <= limits.max_input_pixels / cut.tile_size / cut.tile_size &&
           cut.result_width >= 1 && cut.result_height >= 1 &&
           cut.result_width <= limits.max_output_pixels / cut.result_height && cut.x >= 0 && cut.y >= 0 &&
           cut.width > 0 && cut.height > 0 && cut.x + cut.width <= static_cast<double>(cut.columns * cut.tile_size) &&
           cut.y + cut.height <= static_cast<double>(rows * cut.tile_size);
}

// The block of tiles, decoded one row of them at a time.
class TileRows {
  public:
    TileRows(const CutRequest& cut, int file)
        : cut_(cut), file_(file), strip_(PixelLayout::rgba, cut.columns * cut.tile_size, cut.tile_size) {}

    Result<void> decode_next() {
        for (std::int64_t column = 0; column < cut_.columns; ++column) {
            bytes_.resize(static_cast<std::size_t>(cut_.lengths.at(next_)));
            if (auto read = read_exactly_at(file_, offset_, bytes_); !read) return std::move(read).error();
            const auto tile = imaging::decode_tile(cut_.tile_format, bytes_, cut_.tile_size, PixelLayout::rgba);
            if (!tile) return tile.error();
            copy_pixels(tile->view(), strip_, column * cut_.tile_size, 0);
            offset_ += bytes_.size();
            ++next_;
        }
        return {};
    }
    [[nodiscard]] const std::uint8_t* row(std::int64_t y, std::int64_t column) const {
        return strip_.row(0, y) + column * bytes_per_pixel(PixelLayout::rgba);
    }

  private:
    const CutRequest& cut_;
    int file_;
    ImageBuffer strip_;
    std::vector<std::uint8_t> bytes_;
    std::size_t next_ = 0;
    std::uint64_t offset_ = 0;
};

Result<ImageBuffer> cut_pixels(const CutRequest& cut, int file) {
    imaging::WindowScaler scaler({cut.x, cut.y, cut.width, cut.height}, cut.result_width, cut.result_height);
    TileRows tiles(cut, file);
    const std::int64_t rows = static_cast<std::int64_t>(cut.lengths.size()) / cut.columns;
    for (std::int64_t row = 0; row < rows; ++row) {
        if (auto decoded = tiles.decode_next(); !decoded) return std::move(decoded).error();
        const std::int64_t top = row * cut.tile_size;
        const std::int64_t end = std::min(top + cut.tile_size, scaler.end_row());
        for (std::int64_t y = std::max(top, scaler.first_row()); y < end; ++y) {
            scaler.add(tiles.row(y - top, scaler.first_column()));
        }
    }
    return scaler.take();
}

class CutPicture final : public Operation {
  public:
    [[nodiscard]] std::string_view name() const override { return operation_name; }
    [[nodiscard]] std::string_view description() const override { return "Cuts a picture from tiles."; }
    [[nodiscard]] const OptionTable& options() const override {
        static const OptionTable none({});
        return none;
    }
    [[nodiscard]] Result<json::object> normalize(const json::object&, const std::optional<Uuid>&) const override {
        return internal_error("no job cuts pictures");
    }
    [[nodiscard]] Result<ResolvedRequest> resolve(NormalizedRequest, const SubmitContext&) const override {
        return internal_error("no job cuts pictures");
    }
    [[nodiscard]] Result<ProductPlan> plan(const RunRequest& request) const override {
        const CutRequest cut = cut_in(request);
        return ProductPlan{planned_cut(cut.result_width, cut.result_height, cut.finish), std::nullopt};
    }
    [[nodiscard]] Result<Manifest, JobError> run(const RunContext& context) const override;
};

Result<Manifest, JobError> CutPicture::run(const RunContext& context) const {
    const CutRequest cut = cut_in(context.request);
    if (!is_possible(cut, context.request.limits)) return damaged("a cut that is not possible");
    const auto file = context.open_image(0);
    if (!file) return from_error(file.error());
    const auto pixels = cut_pixels(cut, file->get());
    if (!pixels) return damaged(pixels.error().detail);
    return write_cut(context, *pixels, cut.finish);
}

}  // namespace

RunRequest cut_request(const CutRequest& cut) {
    RunRequest request;
    request.operation = operation_name;
    request.options = {{"tile_size", cut.tile_size},
                       {"columns", cut.columns},
                       {"lengths", json::array(cut.lengths.begin(), cut.lengths.end())},
                       {"x", cut.x},
                       {"y", cut.y},
                       {"shown_width", cut.width},
                       {"shown_height", cut.height},
                       {"width", cut.result_width},
                       {"height", cut.result_height}};
    add_finish(request.options, cut.finish);
    const std::int64_t tile_pixels = std::int64_t{cut.tile_size} * cut.tile_size;
    const auto tiles = static_cast<std::int64_t>(cut.lengths.size());
    InputImage block;
    block.image.format = cut.tile_format;
    block.image.width = cut.columns * cut.tile_size;
    block.image.height = tiles / cut.columns * cut.tile_size;
    block.byte_size = std::accumulate(cut.lengths.begin(), cut.lengths.end(), std::int64_t{0});
    request.images = {block};
    request.limits.max_input_pixels = tiles * tile_pixels;
    request.limits.max_output_pixels = cut.result_width * cut.result_height;
    request.limits.max_artifact_bytes = most_bytes_of_cut(request.limits.max_output_pixels);
    return request;
}

std::unique_ptr<Operation> make_cut() {
    return std::make_unique<CutPicture>();
}

}  // namespace tessera::operations
