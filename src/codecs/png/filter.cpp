#include "codecs/png/filter.hpp"

#include <array>
#include <cmath>
#include <cstdlib>
#include <cstring>

#include "core/simd.hpp"

namespace tessera::codecs {
namespace {

// The loops see bytes from the second pixel on: `left` and `corner` are the pixel before of `row` and `above`.
TESSERA_VECTORISED
void filter_sub(const std::uint8_t* row, const std::uint8_t* left, std::uint8_t* __restrict out, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) out[i] = static_cast<std::uint8_t>(row[i] - left[i]);
}

TESSERA_VECTORISED
void filter_average(const std::uint8_t* row, const std::uint8_t* left, const std::uint8_t* above,
                    std::uint8_t* __restrict out, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) out[i] = static_cast<std::uint8_t>(row[i] - ((left[i] + above[i]) >> 1));
}

TESSERA_VECTORISED
void filter_paeth(const std::uint8_t* row, const std::uint8_t* left, const std::uint8_t* above,
                  const std::uint8_t* corner, std::uint8_t* __restrict out, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        // In 16 bits and without branches, so that it vectorises.
        const auto a = static_cast<std::int16_t>(left[i]);
        const auto b = static_cast<std::int16_t>(above[i]);
        const auto c = static_cast<std::int16_t>(corner[i]);
        const auto bc = static_cast<std::int16_t>(b - c);
        const auto ac = static_cast<std::int16_t>(a - c);
        const auto sum = static_cast<std::int16_t>(bc + ac);
        const auto pa = static_cast<std::int16_t>(bc < 0 ? -bc : bc);
        const auto pb = static_cast<std::int16_t>(ac < 0 ? -ac : ac);
        const auto pc = static_cast<std::int16_t>(sum < 0 ? -sum : sum);
        const std::int16_t above_or_corner = pb <= pc ? b : c;
        const auto least_other = pb < pc ? pb : pc;
        const std::int16_t guess = pa <= least_other ? a : above_or_corner;
        out[i] = static_cast<std::uint8_t>(row[i] - guess);
    }
}

// The sum of the bytes as signed distances from zero.
TESSERA_VECTORISED
std::uint32_t distance_from_zero(const std::uint8_t* bytes, std::size_t count) {
    std::uint32_t sum = 0;
    for (std::size_t i = 0; i < count; ++i) {
        sum +=
            static_cast<std::uint32_t>(std::abs(static_cast<int>(static_cast<std::uint8_t>(bytes[i] ^ 0x80U)) - 128));
    }
    return sum;
}

// What a count adds to the bits of its row, but for what all filters have in common: of n values, each of which is
// there so many times, the bits are n log n less the sum of count log count.
double saved(std::uint32_t count) {
    return count * std::log2(count);
}

double bits_of_bytes(const std::uint8_t* bytes, std::size_t count) {
    std::array<std::uint32_t, 256> counts{};
    for (std::size_t i = 0; i < count; ++i) ++counts[bytes[i]];
    double bits = 0;
    for (const std::uint32_t times : counts) {
        if (times > 1) bits -= saved(times);
    }
    return bits;
}

double bits_of_pairs(const std::uint8_t* bytes, std::size_t count, std::vector<std::uint32_t>& counts) {
    counts.resize(1 << 16);
    const auto each_pair = [&](auto visit) {
        for (std::size_t i = 1; i < count; ++i) visit(counts[static_cast<std::size_t>(bytes[i - 1]) << 8 | bytes[i]]);
    };
    each_pair([](std::uint32_t& times) { ++times; });
    double bits = 0;
    each_pair([&](std::uint32_t& times) {
        if (times > 1) bits -= saved(times);
        times = 0;
    });
    return bits;
}

}  // namespace

double PngRowFilter::weigh(PngRowChoice choice, const std::uint8_t* filtered) {
    switch (choice) {
        case PngRowChoice::smallest_sum: break;
        case PngRowChoice::fewest_bits: return bits_of_bytes(filtered, size_);
        case PngRowChoice::fewest_bits_in_pairs: return bits_of_pairs(filtered, size_, counts_);
    }
    return distance_from_zero(filtered, size_);
}

PngRowFilter::PngRowFilter(std::size_t row_bytes, std::size_t bytes_per_pixel)
    : size_(row_bytes), pixel_(bytes_per_pixel), zeros_(row_bytes), candidates_(4 * row_bytes) {}

void PngRowFilter::filter(PngRowChoice choice, const std::uint8_t* row, const std::uint8_t* above, std::uint8_t* out) {
    if (above == nullptr) above = zeros_.data();
    std::uint8_t* by_sub = candidates_.data();
    std::uint8_t* by_up = by_sub + size_;
    std::uint8_t* by_average = by_up + size_;
    std::uint8_t* by_paeth = by_average + size_;

    for (std::size_t i = 0; i < pixel_; ++i) {
        by_sub[i] = row[i];
        by_average[i] = static_cast<std::uint8_t>(row[i] - (above[i] >> 1));
        by_paeth[i] = static_cast<std::uint8_t>(row[i] - above[i]);
    }
    const std::size_t rest = size_ - pixel_;
    filter_sub(row + pixel_, row, by_sub + pixel_, rest);
    filter_sub(row, above, by_up, size_);
    filter_average(row + pixel_, row, above + pixel_, by_average + pixel_, rest);
    filter_paeth(row + pixel_, row, above + pixel_, above, by_paeth + pixel_, rest);

    const std::uint8_t* best = row;
    std::uint8_t chosen = 0;
    double least = weigh(choice, row);
    const std::uint8_t* const filtered[] = {by_sub, by_up, by_average, by_paeth};
    for (std::uint8_t i = 0; i < 4; ++i) {
        const double its = weigh(choice, filtered[i]);
        if (its < least) {
            least = its;
            best = filtered[i];
            chosen = static_cast<std::uint8_t>(i + 1);
        }
    }
    out[0] = chosen;
    std::memcpy(out + 1, best, size_);
}

void PngRowFilter::filter_alone(const std::uint8_t* row, std::uint8_t* out) const {
    constexpr std::uint8_t none = 0;
    constexpr std::uint8_t sub = 1;
    filter_by(sub, row, nullptr, out);
    if (distance_from_zero(row, size_) <= distance_from_zero(out + 1, size_)) filter_by(none, row, nullptr, out);
}

void PngRowFilter::filter_by(std::uint8_t chosen, const std::uint8_t* row, const std::uint8_t* above,
                             std::uint8_t* out) const {
    if (above == nullptr) above = zeros_.data();
    *out++ = chosen;
    if (chosen == 0) {
        std::memcpy(out, row, size_);
        return;
    }
    if (chosen == 2) return filter_sub(row, above, out, size_);
    for (std::size_t i = 0; i < pixel_; ++i) {
        const int guess = chosen == 1 ? 0 : chosen == 3 ? above[i] >> 1 : above[i];
        out[i] = static_cast<std::uint8_t>(row[i] - guess);
    }
    const std::size_t rest = size_ - pixel_;
    if (chosen == 1) return filter_sub(row + pixel_, row, out + pixel_, rest);
    if (chosen == 3) return filter_average(row + pixel_, row, above + pixel_, out + pixel_, rest);
    filter_paeth(row + pixel_, row, above + pixel_, above, out + pixel_, rest);
}

}  // namespace tessera::codecs
