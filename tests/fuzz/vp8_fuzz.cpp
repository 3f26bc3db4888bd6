// Input: a chunk of VP8. Our decoder stays within its memory, gives as many rows as the header says or tells that it
// failed, and ends.
#include <cstdint>
#include <cstdlib>

#include "codecs/vp8/decode/decoder.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    constexpr int most_pixels = 1 << 16;
    auto decoder = tessera::codecs::vp8::Decoder::open({data, size});
    if (!decoder || decoder->width() * decoder->height() > most_pixels) return 0;
    int rows[3] = {};
    unsigned sum = 0;
    while (decoder->next()) {
        for (int i = 0; i < 3; ++i) {
            const auto plane = decoder->plane(i);
            const int width = i == 0 ? decoder->width() : (decoder->width() + 1) / 2;
            for (int y = 0; y < plane.rows; ++y) {
                sum += plane.pixels[static_cast<std::size_t>(y) * plane.stride + static_cast<std::size_t>(width - 1)];
            }
            rows[i] += plane.rows;
        }
    }
    if (sum > 255U * 3 * (1U << 16)) std::abort();  // so that pixels are read
    const int half = (decoder->height() + 1) / 2;
    if (!decoder->failed() && (rows[0] != decoder->height() || rows[1] != half || rows[2] != half)) std::abort();
    return 0;
}
