#include "imaging/tile/source.hpp"

#include "imaging/picture/preprocess.hpp"
#include "imaging/picture/transform.hpp"
#include "imaging/pixels/image_rows.hpp"
#include "imaging/pixels/turned_rows.hpp"
#include "imaging/save/recompress.hpp"

namespace tessera::imaging {
namespace {

// Null where the file needs more than decoding.
JobResult<std::unique_ptr<RowSource>> open_directly(const TileSource& wanted, const Image& header, bool upright) {
    const bool needs_profile = header.has_profile() && !has_srgb_profile(header);
    if (wanted.source.format != ImageFormat::jpeg || needs_profile || wanted.preprocess.any()) {
        return std::unique_ptr<RowSource>();
    }
    return open_jpeg_rows(wanted.source.fd, upright ? wanted.planes : JpegPlanes::never);
}

JobResult<std::unique_ptr<RowSource>> open_pipeline(const TileSource& wanted, const Image& opened) {
    auto image = to_srgb(opened);
    if (image && wanted.background.opaque()) image = flatten(*image, wanted.background);
    if (image && wanted.preprocess.grayscale) image = grayscale(*image);
    if (image && wanted.preprocess.normalize) {
        const auto levels = measure_levels(wanted.source);
        if (!levels) return levels.error();
        image = stretch(*image, *levels);
    }
    if (image && wanted.preprocess.sharpen) image = sharpen(*image);
    if (!image) return image.error();
    return rows_of(*image);
}

}  // namespace

JobResult<std::unique_ptr<RowSource>> open_tile_source(const TileSource& wanted) {
    const auto image = open(wanted.source);
    if (!image) return image.error();
    const Turn turn = Turn::from_orientation(image->orientation()).then(wanted.rotate / 90);
    auto rows = open_directly(wanted, *image, turn.none());
    if (rows && !*rows) rows = open_pipeline(wanted, *image);
    if (!rows) return rows;
    return turned(std::move(*rows), turn, wanted.scratch);
}

}  // namespace tessera::imaging
