// Input: a chunk of VP8. Our decoder stays within its memory, says how far it came, and where libwebp reads all of it,
// too, has the same pixels.
#include <webp/decode.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "codecs/vp8/decode/decoder.hpp"

namespace {

using namespace tessera::codecs;

struct Planes {
    std::vector<std::uint8_t> of[3];
};

std::string number(std::size_t value) {
    std::string bytes;
    for (int i = 0; i < 4; ++i) bytes += static_cast<char>(value >> 8 * i & 255);
    return bytes;
}

// Nothing where it can't.
Planes by_libwebp(const std::uint8_t* data, std::size_t size, int width, int height) {
    const std::size_t padded = size + size % 2;
    std::string file = "RIFF" + number(padded + 12) + "WEBPVP8 " + number(size);
    file.append(reinterpret_cast<const char*>(data), size);
    file.resize(20 + padded);
    WebPDecoderConfig config;
    WebPInitDecoderConfig(&config);
    config.options.bypass_filtering = 1;
    config.output.colorspace = MODE_YUV;
    const bool is_read =
        WebPDecode(reinterpret_cast<const std::uint8_t*>(file.data()), file.size(), &config) == VP8_STATUS_OK;
    Planes planes;
    if (is_read) {
        const auto& out = config.output.u.YUVA;
        const auto copy = [](const std::uint8_t* from, int stride, int across, int down, auto& to) {
            for (int y = 0; y < down; ++y) to.insert(to.end(), from + y * stride, from + y * stride + across);
        };
        copy(out.y, out.y_stride, width, height, planes.of[0]);
        copy(out.u, out.u_stride, (width + 1) / 2, (height + 1) / 2, planes.of[1]);
        copy(out.v, out.v_stride, (width + 1) / 2, (height + 1) / 2, planes.of[2]);
    }
    WebPFreeDecBuffer(&config.output);
    return planes;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    constexpr int most_pixels = 1 << 16;
    auto decoder = vp8::Decoder::open({data, size});
    if (!decoder || decoder->width() * decoder->height() > most_pixels) return 0;
    Planes ours;
    while (decoder->next()) {
        for (int i = 0; i < 3; ++i) {
            const auto rows = decoder->plane(i);
            const int width = i == 0 ? decoder->width() : (decoder->width() + 1) / 2;
            for (int y = 0; y < rows.rows; ++y) {
                const std::uint8_t* const row = rows.pixels + static_cast<std::size_t>(y) * rows.stride;
                ours.of[i].insert(ours.of[i].end(), row, row + width);
            }
        }
    }
    if (decoder->failed()) return 0;
    if (ours.of[0].size() != static_cast<std::size_t>(decoder->width()) * static_cast<std::size_t>(decoder->height())) {
        std::abort();
    }
    const Planes theirs = by_libwebp(data, size, decoder->width(), decoder->height());
    for (int i = 0; i < 3; ++i) {
        if (!theirs.of[i].empty() && theirs.of[i] != ours.of[i]) std::abort();
    }
    return 0;
}
