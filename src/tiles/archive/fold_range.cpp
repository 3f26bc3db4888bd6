#include <algorithm>

#include "tiles/archive/fold.hpp"

namespace tessera::tiles {
namespace {

// Each is an open file while a fold goes on.
constexpr std::size_t most_at_once = 256;

}  // namespace

std::optional<FoldRange> choose_layers_to_fold(std::span<const std::int64_t> sizes, std::size_t most) {
    if (sizes.size() <= std::max<std::size_t>(most, 2)) return std::nullopt;
    // The lowest delta that does not dwarf all that lies above it.
    std::size_t first = sizes.size();
    std::int64_t above = 0;
    for (std::size_t i = sizes.size(); i-- > 1;) {
        if (sizes[i] / 2 <= above) first = i;
        above += sizes[i];
    }
    const std::size_t most_left = std::max<std::size_t>(most / 2, 2);
    first = std::min({first, most_left - 1, sizes.size() - 2});
    return FoldRange{first, std::min(sizes.size() - first, most_at_once)};
}

}  // namespace tessera::tiles
