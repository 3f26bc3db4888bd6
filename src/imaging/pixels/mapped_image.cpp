#include "imaging/pixels/mapped_image.hpp"

#include <memory>
#include <utility>

#include "imaging/pixels/row_image.hpp"

namespace tessera::imaging {
namespace {

using vips::VImage;

struct Mapping {
    VImage source;
    PixelMap map;
};

// What VIPS_REGION_ADDR does, in types that agree.
std::uint8_t* address(const VipsRegion* region, int x, int y) {
    const auto pixel = static_cast<std::ptrdiff_t>(vips_format_sizeof(region->im->BandFmt)) * region->im->Bands;
    return region->data + std::ptrdiff_t{y - region->valid.top} * region->bpl + (x - region->valid.left) * pixel;
}

int generate(VipsRegion* region, void* upstream_pointer, void* /*source*/, void* mapping, gboolean* /*stop*/) {
    auto* upstream = static_cast<VipsRegion*>(upstream_pointer);
    const VipsRect& area = region->valid;
    if (vips_region_prepare(upstream, &area) != 0) return -1;
    for (int y = area.top; y < area.top + area.height; ++y) {
        static_cast<const Mapping*>(mapping)->map(address(upstream, area.left, y), address(region, area.left, y),
                                                  static_cast<std::uint32_t>(area.width));
    }
    return 0;
}

class MappedRows final : public RowMaker {
  public:
    MappedRows(PixelMap map, int width) : map_(std::move(map)), width_(static_cast<std::uint32_t>(width)) {}

    bool write(std::uint8_t* out, RowReader* upstream) override {
        const std::uint8_t* row = upstream->next();
        if (row != nullptr) map_(row, out, width_);
        return row != nullptr;
    }

  private:
    PixelMap map_;
    std::uint32_t width_;
};

void forget(void* mapping) {
    const std::unique_ptr<Mapping> owned(static_cast<Mapping*>(mapping));
}

}  // namespace

VImage mapped(const VImage& source, int bands, VipsInterpretation meaning, PixelMap map) {
    auto by_rows = std::make_unique<MappedRows>(map, source.width());
    auto mapping = std::make_unique<Mapping>(Mapping{source, std::move(map)});
    VImage image(vips_image_new());
    VipsImage* made = image.get_image();
    if (vips_image_pipelinev(made, VIPS_DEMAND_STYLE_THINSTRIP, source.get_image(), nullptr) != 0) throw vips::VError();
    made->Bands = bands;
    made->BandFmt = VIPS_FORMAT_UCHAR;
    made->Coding = VIPS_CODING_NONE;
    made->Type = meaning;
    Mapping* borrowed = mapping.get();
    g_object_set_data_full(G_OBJECT(made), "tessera-mapping", mapping.release(), forget);
    if (vips_image_generate(made, vips_start_one, generate, vips_stop_one, source.get_image(), borrowed) != 0) {
        throw vips::VError();
    }
    make_rows_also_by(std::move(by_rows), source, image);
    return image;
}

}  // namespace tessera::imaging
