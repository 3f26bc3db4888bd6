// Folds neighbouring layers of a version into one archive. Encoded tiles are copied as they are: nothing is decoded, so
// that a fold needs no sandbox. Every tile's checksum is verified on the way.
#pragma once

#include <functional>
#include <optional>
#include <span>

#include "tiles/archive/layers.hpp"
#include "tiles/archive/writer.hpp"

namespace tessera::tiles {

// `layers` topmost first; all must be ours and of one geometry. With a base at the bottom the result is a base,
// otherwise a delta. `go_on` is asked now and then; false ends the fold with an error. On failure no file is left.
Result<ArchiveSummary> fold(
    const Layers& layers, const std::filesystem::path& path, const std::function<bool()>& go_on = [] { return true; });

// Which layers of a version to fold next.
struct FoldRange {
    std::size_t first = 0;  // counted from the bottom
    std::size_t count = 0;
    bool operator==(const FoldRange&) const = default;
};

// Nothing unless there are more than `most` layers. `sizes` are in bytes, bottom first. Small deltas are folded with
// each other, and into a larger one only when together they are half of it. So what is copied stays in proportion to
// what patches wrote. Never into the base: recipes start from its tiles, and in lossy formats they are what nobody has
// changed, as it first was. At most half of `most` layers are left, unless there were far too many to
// be opened at once.
// `most` is two at least: a base and a delta.
std::optional<FoldRange> choose_layers_to_fold(std::span<const std::int64_t> sizes, std::size_t most);

}  // namespace tessera::tiles
