#include "codecs/vp8/macroblock.hpp"

#include <algorithm>
#include <iterator>

#include "codecs/vp8/as_whole.hpp"
#include "codecs/vp8/by_blocks.hpp"
#include "codecs/vp8/chroma.hpp"

namespace tessera::codecs::vp8 {
namespace {

bool is_empty(const Macroblock& coded) {
    const int first = coded.modes.by_blocks ? 0 : 1;
    const auto none_from = [](int from) { return [from](int last) { return last < from; }; };
    return (coded.modes.by_blocks || coded.last_of_dcs < 0) &&
           std::all_of(std::begin(coded.last_of_luma), std::end(coded.last_of_luma), none_from(first)) &&
           std::all_of(std::begin(coded.last_of_chroma), std::end(coded.last_of_chroma), none_from(0));
}

}  // namespace

TESSERA_VECTORISED
void code_macroblock(const Surroundings& around, const Quantiser& quantiser, const TokenCosts& costs, Macroblock& out) {
    const Edges edges = luma_edges(around);
    AsWhole whole;
    choose_mode(around, edges, quantiser, whole);
    bool plain = false;
    const Score score = score_whole(whole, around, costs, plain);

    ByBlocks blocks;
    // Where one mode leaves nothing to tell but means, more modes do not pay.
    out.modes.by_blocks = !plain && code_by_blocks(around, quantiser, costs, score, blocks);
    if (out.modes.by_blocks) {
        settle_blocks(blocks, around, out);
    } else {
        settle_whole(whole, around, edges, quantiser, costs, out);
    }
    code_chroma(around, quantiser, costs, out);
    out.modes.empty = is_empty(out);
}

}  // namespace tessera::codecs::vp8
