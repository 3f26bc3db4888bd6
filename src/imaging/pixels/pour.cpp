#include "imaging/pixels/pour.hpp"

#include <algorithm>
#include <exception>

#include "imaging/pixels/row_image.hpp"
#include "imaging/pixels/vips_runtime.hpp"

namespace tessera::imaging {
namespace {

using vips::VImage;

struct Pouring {
    const TakeRows& take;
    bool refused = false;
    std::exception_ptr thrown;
};

// libvips calls this with whole rows, in order, from one thread at a time. Nothing may be thrown through it.
int take_region(VipsRegion* region, VipsRect* area, void* pouring_pointer) {
    auto& pouring = *static_cast<Pouring*>(pouring_pointer);
    try {
        // What VIPS_REGION_ADDR does, in types that agree.
        const std::uint8_t* first = region->data + std::ptrdiff_t{area->top - region->valid.top} * region->bpl;
        pouring.refused = pouring.refused || !pouring.take({first, region->bpl, area->height});
        return pouring.refused ? -1 : 0;
    } catch (...) {
        pouring.thrown = std::current_exception();
        return -1;
    }
}

void tell(const VImage& image, const char* signal, int rows) {
    VipsProgress progress{};
    progress.im = image.get_image();
    progress.tpels = gint64{image.height()} * image.width();
    progress.npels = gint64{rows} * image.width();
    progress.percent = static_cast<int>(100 * progress.npels / progress.tpels);
    g_signal_emit_by_name(image.get_image(), signal, &progress);
}

bool pour_from(RowReader& rows, const VImage& image, const TakeRows& take) {
    const int height = image.height();
    const int rows_between_words = std::max(16, height / 16);
    for (int y = 0; y < height; ++y) {
        const std::uint8_t* row = rows.next();
        if (row == nullptr) throw vips::VError();
        if (!take({row, 0, 1})) return false;
        if ((y + 1) % rows_between_words != 0) continue;
        tell(image, "eval", y + 1);
        if (vips_image_iskilled(image.get_image()) != 0) throw vips::VError();
    }
    tell(image, "posteval", height);
    return true;
}

}  // namespace

bool pour_beside(const VImage& image, const TakeRows& take) {
    Pouring pouring{take, false, nullptr};
    const bool poured = vips_sink_disc(image.get_image(), take_region, &pouring) == 0;
    // libvips does not always hear that the last rows were refused.
    if (pouring.thrown) std::rethrow_exception(pouring.thrown);
    if (pouring.refused) return false;
    if (!poured || rows_have_failed()) throw vips::VError();
    return true;
}

bool pour(const VImage& image, const TakeRows& take) {
    constexpr std::int64_t few_pixels = 2'000'000;
    const auto rows =
        std::int64_t{image.width()} * image.height() <= few_pixels ? rows_without_libvips(image) : nullptr;
    return rows ? pour_from(*rows, image, take) : pour_beside(image, take);
}

std::vector<std::uint8_t> all_pixels(const VImage& image) {
    std::vector<std::uint8_t> pixels;
    const std::size_t row_size = row_bytes(image);
    pixels.reserve(row_size * static_cast<std::size_t>(image.height()));
    pour(image, [&](const RowBlock& rows) {
        for (int i = 0; i < rows.count; ++i) pixels.insert(pixels.end(), rows.row(i), rows.row(i) + row_size);
        return true;
    });
    return pixels;
}

}  // namespace tessera::imaging
