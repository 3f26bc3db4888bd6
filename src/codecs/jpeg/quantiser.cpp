#include "codecs/jpeg/quantiser.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "codecs/jpeg/zigzag.hpp"

namespace tessera::codecs {

namespace {

// Annex K of the JPEG standard.
constexpr std::array<int, block_size> luma_base = {
    16, 11,  10,  16, 24, 40, 51, 61, 12,  12,  14,  19,  26, 58, 60, 55,  14,  13,  16,  24, 40, 57,
    69, 56,  14,  17, 22, 29, 51, 87, 80,  62,  18,  22,  37, 56, 68, 109, 103, 77,  24,  35, 55, 64,
    81, 104, 113, 92, 49, 64, 78, 87, 103, 121, 120, 101, 72, 92, 95, 98,  112, 100, 103, 99,
};
constexpr std::array<int, block_size> chroma_base = {
    17, 18, 24, 47, 99, 99, 99, 99, 18, 21, 26, 66, 99, 99, 99, 99, 24, 26, 56, 99, 99, 99,
    99, 99, 47, 66, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99,
    99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99,
};

int magnitude_bits(int value) {
    return static_cast<int>(std::bit_width(static_cast<unsigned>(std::abs(value))));
}

constexpr int zero_run_symbol = 0xF0;  // sixteen zeros
constexpr float below_one = 0.8F;      // values below 5/8 of a step mostly end as zeros

}  // namespace

QuantTable standard_table(bool chroma, int quality) {
    const int scale = quality < 50 ? 5000 / quality : 200 - quality * 2;
    const auto& base = chroma ? chroma_base : luma_base;
    QuantTable table{};
    for (std::size_t i = 0; i < table.size(); ++i) {
        table[i] = static_cast<std::uint16_t>(std::clamp((base[i] * scale + 50) / 100, 1, 255));
    }
    return table;
}

SymbolCosts::SymbolCosts() {
    counts_.fill(1);  // nothing is impossible
}

void SymbolCosts::count(const Block* block) {
    int run = 0;
    for (std::size_t k = 1; k < block_size; ++k) {
        const int value = block[zigzag[k]];
        if (value == 0) {
            ++run;
            continue;
        }
        for (; run >= 16; run -= 16) ++counts_[zero_run_symbol];
        ++counts_[static_cast<std::size_t>(run << 4 | magnitude_bits(value))];
        run = 0;
    }
    if (run > 0) ++counts_[0];
}

void SymbolCosts::settle() {
    double total = 0;
    for (const std::uint32_t count : counts_) total += count;
    for (std::size_t i = 0; i < costs_.size(); ++i) {
        costs_[i] = static_cast<float>(std::clamp(std::log2(total / counts_[i]), 1.0, 16.0));
    }
}

float SymbolCosts::coefficient(int run, int bits) const {
    float cost = static_cast<float>(bits);
    for (; run >= 16; run -= 16) cost += costs_[zero_run_symbol];
    return cost + costs_[static_cast<std::size_t>(run << 4 | bits)];
}

BlockQuantiser::BlockQuantiser(const QuantTable& from, const QuantTable& to,
                               const std::array<float, block_size>& weights)
    : weights_(weights) {
    for (std::size_t k = 0; k < block_size; ++k) {
        const auto at = std::size_t{zigzag[k]};
        ratio_[k] = static_cast<float>(from[at]) / static_cast<float>(to[at]);
    }
}

void BlockQuantiser::round(Block* block) const {
    for (std::size_t k = 0; k < block_size; ++k) {
        Block& value = block[zigzag[k]];
        if (value == 0) continue;
        const float steps = static_cast<float>(value) * ratio_[k];
        value = static_cast<Block>(std::lround(std::abs(steps) < 1 ? steps * below_one : steps));
    }
}

// The cheapest way through the block: best_[k] is the least cost (error plus worth of bits) of everything up to and
// with a nonzero coefficient at k. Between two nonzeros all are zero.
void BlockQuantiser::optimise(const Block* original, Block* block, const SymbolCosts& costs, float bit_worth) const {
    std::array<float, block_size> exact{};       // in steps
    std::array<float, block_size + 1> zeroed{};  // error of making 1 … k-1 zero
    std::array<float, block_size> best{};
    std::array<int, block_size> previous{};
    std::array<int, block_size> chosen{};
    std::array<int, block_size> nonzeros{};
    int count = 0;

    float error = 0;
    for (std::size_t k = 1; k < block_size; ++k) {
        exact[k] = std::abs(static_cast<float>(original[zigzag[k]])) * ratio_[k];
        zeroed[k] = error;
        error += exact[k] * exact[k] * weights_[k];
    }
    zeroed[block_size] = error;

    float best_total = error + bit_worth * costs.end_of_block();
    int best_last = 0;
    for (int k = 1; k < block_size; ++k) {
        const auto at = static_cast<std::size_t>(k);
        const int rounded = static_cast<int>(std::lround(exact[at]));
        if (rounded == 0) continue;
        best[at] = std::numeric_limits<float>::infinity();
        // The nearest value, and the largest one that needs a bit less.
        const int fewer_bits = (1 << (magnitude_bits(rounded) - 1)) - 1;
        for (const int value : {rounded, fewer_bits}) {
            if (value == 0) continue;
            const float off = exact[at] - static_cast<float>(value);
            if (value != rounded && off > 1.0F) continue;
            const int bits = magnitude_bits(value);
            for (int i = count; i >= 0; --i) {
                const int from = i == 0 ? 0 : nonzeros[static_cast<std::size_t>(i - 1)];
                const float skipped = zeroed[at] - (from == 0 ? 0.0F : zeroed[static_cast<std::size_t>(from) + 1]);
                const float before = from == 0 ? 0.0F : best[static_cast<std::size_t>(from)];
                const float total =
                    before + skipped + off * off * weights_[at] + bit_worth * costs.coefficient(k - from - 1, bits);
                if (total < best[at]) {
                    best[at] = total;
                    previous[at] = from;
                    chosen[at] = value;
                }
                if (skipped > best[at]) break;  // longer gaps only cost more
            }
        }
        nonzeros[static_cast<std::size_t>(count++)] = k;
        const float tail = error - zeroed[at + 1] + (k == block_size - 1 ? 0.0F : bit_worth * costs.end_of_block());
        if (best[at] + tail < best_total) {
            best_total = best[at] + tail;
            best_last = k;
        }
    }

    for (std::size_t k = 1; k < block_size; ++k) block[zigzag[k]] = 0;
    for (int k = best_last; k != 0; k = previous[static_cast<std::size_t>(k)]) {
        const auto at = static_cast<std::size_t>(k);
        const bool negative = original[zigzag[at]] < 0;
        block[zigzag[at]] = static_cast<Block>(negative ? -chosen[at] : chosen[at]);
    }
    block[0] = static_cast<Block>(std::lround(static_cast<float>(original[0]) * ratio_[0]));
}

}  // namespace tessera::codecs
