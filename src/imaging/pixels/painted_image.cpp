#include "imaging/pixels/painted_image.hpp"

#include <cstring>

#include "imaging/pixels/vips_image.hpp"

namespace tessera::imaging {
namespace {

// libvips calls this on its own threads; nothing may be thrown through it.
int generate(VipsRegion* region, void* /*sequence*/, void* painter, void* /*unused*/, gboolean* /*stop*/) {
    try {
        const VipsRect& area = region->valid;
        ImageBuffer pixels(PixelLayout::rgba, area.width, area.height);
        if (auto done = (*static_cast<Painter*>(painter))(area.left, area.top, pixels); !done) {
            vips_error("painted", "%s", done.error().detail.c_str());
            return -1;
        }
        const int bands = region->im->Bands;
        for (int y = 0; y < area.height; ++y) {
            const std::uint8_t* from = pixels.row(0, y);
            std::uint8_t* to = region->data + std::ptrdiff_t{y} * region->bpl;
            for (int x = 0; x < area.width; ++x, from += 4, to += bands)
                std::memcpy(to, from, static_cast<std::size_t>(bands));
        }
        return 0;
    } catch (const std::exception& problem) {
        vips_error("painted", "%s", problem.what());
        return -1;
    }
}

void free_painter(void* painter) {
    const std::unique_ptr<Painter> owned(static_cast<Painter*>(painter));
}

}  // namespace

JobResult<Image> painted(Size size, bool has_alpha, Painter painter) {
    return guarded([&] {
        VipsImage* image = vips_image_new();
        vips::VImage owner(image);
        vips_image_init_fields(image, static_cast<int>(size.width), static_cast<int>(size.height), has_alpha ? 4 : 3,
                               VIPS_FORMAT_UCHAR, VIPS_CODING_NONE, VIPS_INTERPRETATION_sRGB, 1, 1);
        auto* kept = std::make_unique<Painter>(std::move(painter)).release();
        g_object_set_data_full(G_OBJECT(image), "tessera-painter", kept, free_painter);
        if (vips_image_pipelinev(image, VIPS_DEMAND_STYLE_THINSTRIP, static_cast<void*>(nullptr)) != 0 ||
            vips_image_generate(image, nullptr, &generate, nullptr, kept, nullptr) != 0) {
            throw vips::VError();
        }
        return wrap(owner);
    });
}

}  // namespace tessera::imaging
