// Input: any file. Stripping it as each format must neither read outside it nor make it longer than an orientation tag
// does, and stripping the result again must change nothing.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "codecs/strip/strip.hpp"

namespace {

using namespace tessera;
using namespace tessera::codecs;

std::string written(const codecs::Pieces& pieces) {
    std::string out;
    pieces.write_to([&](std::span<const std::uint8_t> piece) {
        out.append(piece.begin(), piece.end());
        return true;
    });
    return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    constexpr std::size_t tag = 64;
    for (const ImageFormat format : all_image_formats) {
        for (const int orientation : {1, 6}) {
            const auto pieces = strip(format, {data, size}, orientation);
            if (!pieces) continue;
            const std::string once = written(*pieces);
            if (static_cast<std::int64_t>(once.size()) != pieces->size() || once.size() > size + tag) std::abort();
            const auto again =
                strip(format, {reinterpret_cast<const std::uint8_t*>(once.data()), once.size()}, orientation);
            if (!again || written(*again) != once) std::abort();
        }
    }
    return 0;
}
