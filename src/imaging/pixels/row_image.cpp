#include "imaging/pixels/row_image.hpp"

#include "imaging/pixels/vips_runtime.hpp"

namespace tessera::imaging {
namespace {

using vips::VImage;

struct Rows {
    VImage model;
    std::unique_ptr<RowMaker> maker;
    int next = 0;
};

// libvips' sequential cache sees to it that rows are asked for in order and by one thread at a time.
int generate(VipsRegion* region, void* upstream, void* /*model*/, void* rows_pointer, gboolean* /*stop*/) {
    auto& rows = *static_cast<Rows*>(rows_pointer);
    const VipsRect& area = region->valid;
    if (area.top != rows.next) {
        vips_error("rows", "asked for row %d after row %d", area.top, rows.next);
        return -1;
    }
    for (int y = 0; y < area.height; ++y, ++rows.next) {
        std::uint8_t* out = region->data + std::ptrdiff_t{y} * region->bpl;
        if (!rows.maker->write(out, static_cast<VipsRegion*>(upstream))) {
            note_failed_rows();
            return -1;
        }
    }
    return 0;
}

void forget(void* rows) {
    const std::unique_ptr<Rows> owned(static_cast<Rows*>(rows));
}

}  // namespace

VImage image_of_rows(const VImage& model, int width, int height, std::unique_ptr<RowMaker> maker, bool reads_model) {
    auto rows = std::make_unique<Rows>(Rows{model, std::move(maker)});
    VImage image(vips_image_new());
    VipsImage* made = image.get_image();
    if (vips_image_pipelinev(made, VIPS_DEMAND_STYLE_THINSTRIP, model.get_image(), nullptr) != 0) throw vips::VError();
    made->Xsize = width;
    made->Ysize = height;
    Rows* borrowed = rows.get();
    g_object_set_data_full(G_OBJECT(made), "tessera-rows", rows.release(), forget);
    const int failed = vips_image_generate(made, reads_model ? vips_start_one : nullptr, generate,
                                           reads_model ? vips_stop_one : nullptr, model.get_image(), borrowed);
    if (failed != 0) throw vips::VError();
    constexpr int lines_at_once = 16;
    return image.sequential(VImage::option()->set("tile_height", lines_at_once));
}

}  // namespace tessera::imaging
