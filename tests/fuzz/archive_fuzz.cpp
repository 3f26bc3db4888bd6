// Archives come from a store that others may write to: nothing in one may crash a reader or make it ask for memory
// without bound.
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "tiles/archive/archive.hpp"
#include "tiles/archive/check.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace tessera;
    const auto archive = tiles::Archive::open(
        [&](std::uint64_t offset, std::span<std::uint8_t> out) -> Result<void> {
            if (offset > size || out.size() > size - offset) return internal_error("past the end");
            std::copy_n(data + offset, out.size(), out.begin());
            return {};
        },
        size);
    if (!archive) return 0;
    for (std::uint64_t id = 0; id < 400; id += 1 + id / 8) {
        const auto tile = (*archive)->read_tile(*tiles::TileCoord::from_id(id));
        if (tile && *tile && (*tile)->size() > size) std::abort();
    }
    std::uint64_t runs = 0;
    const auto walked = (*archive)->for_each([&](const tiles::Archive::Run&) -> Result<void> {
        if (++runs > 100'000) return internal_error("enough");
        return {};
    });
    static_cast<void>(walked);
    // As the host looks at one before it publishes it: what passes has every tile where it should be.
    if (!(*archive)->geometry()) return 0;
    const TilesetGeometry& geometry = *(*archive)->geometry();
    const auto shape = tiles::PyramidShape::make(geometry.width, geometry.height, geometry.tile_size);
    if (!shape) std::abort();
    if (shape->tile_count() < 100'000) {  // a host knows the size of the picture from the job
        const auto checked = tiles::check_archive(**archive, {geometry, (*archive)->is_delta()});
        if (checked && checked->tiles > shape->tile_count()) std::abort();
    }
    for (const tiles::PixelRect& area : (*archive)->patched()) {
        if (area.right() > geometry.width || area.bottom() > geometry.height) std::abort();
    }
    return 0;
}
