// Input: any file. What is read of GIF, WebP and HEIF files without a library must stay within the file, a frame must
// lie on its canvas, and LZW must not yield more than its bound says.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "codecs/gif/container.hpp"
#include "codecs/gif/lzw.hpp"
#include "codecs/heif/items.hpp"
#include "codecs/webp/container.hpp"

namespace {

using namespace tessera;

template <typename Container>
void check_frame(const Container& container) {
    const bool inside = container.left >= 0 && container.top >= 0 && container.frame_width > 0 &&
                        container.frame_height > 0 && container.frame_width <= container.width - container.left &&
                        container.frame_height <= container.height - container.top && container.frames > 0;
    if (!inside) std::abort();
}

void read_gif(codecs::FileBytes file) {
    const auto container = codecs::read_gif_container(file);
    if (!container) return;
    check_frame(*container);
    constexpr std::int64_t most_samples = 1 << 20;
    codecs::LzwReader reader(container->code_size, container->blocks);
    std::vector<std::uint8_t> row(static_cast<std::size_t>(container->frame_width));
    const std::int64_t most = codecs::most_from_lzw(container->code_size, container->compressed_bytes);
    for (std::int64_t made = 0; made < most_samples && reader.read(row);) {
        made += static_cast<std::int64_t>(row.size());
        if (made > most) std::abort();
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const codecs::FileBytes file(data, size);
    read_gif(file);
    if (const auto container = codecs::read_webp_container(file)) check_frame(*container);
    codecs::primary_item_is_av1(file);
    codecs::primary_item_turns(file, 64, 48);
    return 0;
}
