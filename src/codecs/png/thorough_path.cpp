#include "codecs/png/thorough_path.hpp"

#include <algorithm>
#include <cmath>

#include "codecs/png/thorough_blocks.hpp"

namespace tessera::codecs::thorough {
namespace {

// What a length and a distance cost that no code is known for. In the first pass it is a guess of what they will
// cost: with a lower one short matches are many, all bytes become dear for it, and later passes do not find back.
struct Unknown {
    std::uint32_t byte;
    std::uint32_t length;
    std::uint32_t distance;
};
constexpr Unknown at_first = {14 * Prices::bit, 9 * Prices::bit, 9 * Prices::bit / 2};
constexpr Unknown later = {14 * Prices::bit, 12 * Prices::bit, 9 * Prices::bit};

template <typename OfSymbol, typename OfDistance>
Prices with_extra_bits(OfSymbol of_symbol, OfDistance of_distance) {
    Prices prices;
    for (std::size_t i = 0; i < 256; ++i) prices.bytes[i] = of_symbol(i);
    prices.lengths.fill(0);
    for (std::size_t i = shortest_match; i <= longest_match; ++i) {
        const photo::RunCode& code = photo::run_codes[i];
        prices.lengths[i] = of_symbol(code.symbol) + Prices::bit * code.extra_bits;
    }
    for (std::size_t i = 0; i < distance_symbols; ++i) {
        prices.distances[i] = of_distance(i) + Prices::bit * extra_bits_of_distance(i);
    }
    return prices;
}

}  // namespace

Prices first_prices(const Counts& counts) {
    float all = 0;
    for (const std::uint32_t count : counts.lengths) all += static_cast<float>(count);
    return with_extra_bits(
        [&](std::size_t symbol) {
            if (symbol > photo::end_of_block) return at_first.length;
            if (counts.lengths[symbol] == 0) return at_first.byte;
            const float bits = std::log2(all / static_cast<float>(counts.lengths[symbol]));
            return static_cast<std::uint32_t>(std::max(1.0F, bits) * Prices::bit);
        },
        [](std::size_t) { return at_first.distance; });
}

Prices prices_of(const Counts& counts) {
    const BlockCode code = make_code(counts);
    return with_extra_bits(
        [&](std::size_t symbol) {
            const std::uint32_t length = code.lengths[symbol].length;
            return length > 0 ? length * Prices::bit : symbol < 256 ? later.byte : later.length;
        },
        [&](std::size_t symbol) {
            const std::uint32_t length = code.distances[symbol].length;
            return length > 0 ? length * Prices::bit : later.distance;
        });
}

void PathFinder::find(std::span<const std::uint8_t> bytes, const Matches& matches, std::span<const Prices> prices,
                      std::vector<Token>& tokens) {
    constexpr std::size_t long_enough = 200;  // such a match is not looked at in part
    const std::size_t size = bytes.size();
    least_.resize(size + 1);
    next_.resize(size);
    std::uint32_t* const rest = least_.data();
    Token* const next = next_.data();
    rest[size] = 0;
    std::size_t valid = prices.size() - 1;
    for (std::size_t i = size; i-- > 0;) {
        while (valid > 0 && i < prices[valid - 1].end) --valid;
        const Prices& price = prices[valid];
        std::uint32_t least = price.bytes[bytes[i]] + rest[i + 1];
        Token best{1, bytes[i]};
        std::size_t length = shortest_match;
        for (const Match& match : matches.at(i)) {
            const std::size_t longest = std::min<std::size_t>(match.length, size - i);
            const std::uint32_t of_distance = price.distances[distance_code(match.distance).symbol];
            if (longest >= long_enough) length = std::max(length, longest);
            for (; length <= longest; ++length) {
                const std::uint32_t its = of_distance + price.lengths[length] + rest[i + length];
                if (its >= least) continue;
                least = its;
                best = {static_cast<std::uint16_t>(length), match.distance};
            }
        }
        rest[i] = least;
        next[i] = best;
    }
    tokens.clear();
    for (std::size_t i = 0; i < size; i += next[i].length) tokens.push_back(next[i]);
}

}  // namespace tessera::codecs::thorough
