#include "codecs/recipe/jpeg_recipe.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "codecs/jpeg/coefficients.hpp"
#include "codecs/recipe/splice.hpp"

namespace tessera::codecs {
namespace {

using Bytes = std::vector<std::uint8_t>;
using Levels = std::array<int, 3>;  // the DC of a block, for each plane

Levels levels_after(int mcu, const BlockPlanes& of) {
    Levels levels{};
    of.each_block_of(mcu, [&](int plane, int column, int row) {
        levels[static_cast<std::size_t>(plane)] = of.block(plane, column, row)[0];
        return true;
    });
    return levels;
}

bool write_mcu(const TileScan& codes, const BlockPlanes& of, int mcu, Levels levels, ScanWriter& bits) {
    return of.each_block_of(mcu, [&](int plane, int column, int row) {
        const auto i = static_cast<std::size_t>(plane);
        const std::int16_t* block = of.block(plane, column, row);
        return codes.write(i, block, std::exchange(levels[i], block[0]), bits);
    });
}

// Nothing goes out that libjpeg does not read as it is here.
bool is_held_by(const BlockPlanes& blocks, const Bytes& file) {
    JpegCoefficients seen;
    if (!seen.read(file, blocks.tile_size()) || seen.layout() != blocks.layout()) return false;
    bool same = true;
    for (int plane = 0; plane < blocks.planes(); ++plane) {
        blocks.each_block_in(plane, [&](int column, int row) {
            const std::int16_t* block = blocks.block(plane, column, row);
            same = same && std::equal(block, block + BlockPlanes::block_size, seen.block(plane, column, row));
        });
    }
    return same;
}

// Over a file with this scan and these blocks.
std::optional<Bytes> recipe_over(const Bytes& file, const TileScan& scan, const BlockPlanes& old,
                                 const BlockPlanes& now) {
    Splice splice{.stream = Splice::Stream::jpeg, .head = scan.head(), .adler32 = 0, .steps = {}};
    const auto place_of = [&](int mcu) { return scan.mcu_places()[static_cast<std::size_t>(mcu)]; };
    const int mcus = now.mcus();
    Levels levels{};      // of the blocks ahead: the scan holds what blocks differ by
    Levels old_levels{};  // and what they were
    for (int mcu = 0; mcu < mcus;) {
        const std::size_t start = place_of(mcu);
        for (; mcu < mcus && levels == old_levels && now.has_same(mcu, old); ++mcu) {
            levels = old_levels = levels_after(mcu, now);
        }
        Splice::Step step{start, place_of(mcu) - start, {}};
        ScanWriter bits(step.then.bytes);
        for (; mcu < mcus && !(levels == old_levels && now.has_same(mcu, old)); ++mcu) {
            if (!write_mcu(scan, now, mcu, levels, bits)) return std::nullopt;
            levels = levels_after(mcu, now);
            old_levels = levels_after(mcu, old);
        }
        bits.finish(false);
        step.then.count = bits.count();
        splice.steps.push_back(std::move(step));
    }
    auto made = write_recipe(splice, file);
    if (!made || made->bytes.size() > file.size() / 2 || !is_held_by(now, made->tile)) return std::nullopt;
    return std::move(made->bytes);
}

}  // namespace

std::optional<Bytes> jpeg_recipe(const JpegBlocks& changed) {
    if (!changed.scan()) return std::nullopt;
    return recipe_over(changed.file(), *changed.scan(), changed.before(), changed.now());
}

std::optional<Bytes> jpeg_recipe(const JpegBlocks& base, const JpegBlocks& changed) {
    const bool comparable = base.layout() == changed.layout() && base.quantisation() == changed.quantisation();
    if (!comparable || !base.scan()) return std::nullopt;
    return recipe_over(base.file(), *base.scan(), base.now(), changed.now());
}

}  // namespace tessera::codecs
