#include "codecs/vp8/decode/levels.hpp"

#include "codecs/vp8/trees.hpp"

namespace tessera::codecs::vp8 {
namespace {

// Where the coefficient of each place goes.
constexpr std::uint8_t offsets[] = {0,      1 * 16,  4 * 16,  8 * 16,  5 * 16, 2 * 16,  3 * 16,  6 * 16,
                                    9 * 16, 12 * 16, 13 * 16, 10 * 16, 7 * 16, 11 * 16, 14 * 16, 15 * 16};

// From 2 on.
TESSERA_INLINE int read_large_level(QuickBoolReader& in, const std::uint8_t* p) {
    if (!in.get(p[3])) {
        if (!in.get(p[4])) return 2;
        return 3 + in.get_number(p[5]);
    }
    int range = 0;
    if (!in.get(p[6])) {
        range = in.get_number(p[7]);
    } else {
        const int upper = in.get_number(p[8]);
        range = 2 + 2 * upper + in.get_number(p[9 + upper]);
    }
    const LevelRange& found = level_ranges[range];
    int more = 0;
    for (const std::uint8_t zero : found.probabilities) {
        in.fill_for<1>();
        more = 2 * more + in.get_number(zero);
    }
    return found.first + more;
}

}  // namespace

TESSERA_BITWISE
int read_levels(BoolReader& tokens, const PlaceProbabilities& probabilities, int context, int first,
                const Dequantiser::Steps& steps, std::int16_t* out) {
    QuickBoolReader in(tokens);
    int step = first == 0 ? steps.dc : steps.ac;
    const std::uint8_t* p = probabilities.of[first][context];
    int place = first;
    for (; place < 16; ++place) {
        in.fill();  // for all but what is rare: more often than needed, but without a branch
        if (!in.get(p[0])) break;
        while (!in.get(p[1])) {
            if (++place == 16) return 16;
            p = probabilities.of[place][0];
            step = steps.ac;
            in.fill_for<6>();
        }
        int level = 1;
        if (!in.get(p[2])) {
            p = probabilities.of[place + 1][1];
        } else {
            level = read_large_level(in, p);
            p = probabilities.of[place + 1][2];
            in.fill_for<1>();
        }
        out[offsets[place]] = static_cast<std::int16_t>(in.get_signed(level) * step);
        step = steps.ac;
    }
    return place;
}

}  // namespace tessera::codecs::vp8
