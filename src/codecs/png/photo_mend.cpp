#include "codecs/png/photo_mend.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "codecs/png/photo_walk.hpp"

namespace tessera::codecs {
namespace {

using namespace photo;
using Bytes = std::span<const std::uint8_t>;

constexpr std::size_t shortest_kept = 24;  // bytes: fewer take no more room anew than the note that they are kept

// Bytes from `begin` up to `end` differ, or lie between some that do.
struct Range {
    std::size_t begin = 0;
    std::size_t end = 0;
};

std::vector<Range> differences(Bytes before, Bytes after, const PhotoBlock& whole) {
    const DeflateBlock block = whole.bytes;
    std::vector<Range> ranges;
    const auto add = [&](std::size_t at) {
        if (!ranges.empty() && at - ranges.back().end < shortest_kept) {
            ranges.back().end = at + 1;
        } else {
            ranges.push_back({at, at + 1});
        }
    };
    // A run may go on from the byte ahead of the block.
    if (!whole.stands_alone && block.begin > 0 && before[block.begin - 1] != after[block.begin - 1]) add(block.begin);
    constexpr std::size_t stretch = 256;  // most are the same throughout
    for (std::size_t begin = block.begin; begin < block.end; begin += stretch) {
        const std::size_t end = std::min(block.end, begin + stretch);
        if (std::memcmp(before.data() + begin, after.data() + begin, end - begin) == 0) continue;
        for (std::size_t at = begin; at < end;) {
            if (end - at >= 8 && load64(before.data() + at) == load64(after.data() + at)) {
                at += 8;
                continue;
            }
            const std::size_t stop = std::min(end, at + 8);
            for (; at < stop; ++at) {
                if (before[at] != after[at]) add(at);
            }
        }
    }
    return ranges;
}

// What is replaced: whole runs and single bytes of the block as it was, and the bits that they have there.
struct Cut {
    PhotoMark begin;
    PhotoMark end;
};

// Goes along the symbols of a block that was inflated before: what they stand for is known, and only where they begin
// is not.
class SymbolFinder {
  public:
    SymbolFinder(Bytes stream, const PhotoBlock& block, Bytes before)
        : stream_(stream), block_(block), before_(before) {}

    // The one that stands for this byte of the block.
    [[nodiscard]] PhotoMark holding(std::size_t byte) const {
        PhotoMark mark = mark_before(byte);
        for (PhotoMark next = after(mark); next.byte <= byte; next = after(mark)) mark = next;
        return mark;
    }
    // The first one that begins at this byte or later.
    [[nodiscard]] PhotoMark from(std::size_t byte) const {
        PhotoMark mark = mark_before(byte);
        while (mark.byte < byte) mark = after(mark);
        return mark;
    }

  private:
    [[nodiscard]] PhotoMark mark_before(std::size_t byte) const {
        const auto later = std::ranges::upper_bound(block_.marks, byte, {}, &PhotoMark::byte);
        return later == block_.marks.begin() ? *later : *(later - 1);
    }
    // No code is the beginning of another: where the byte's own code lies, it is no run.
    [[nodiscard]] PhotoMark after(PhotoMark mark) const {
        const std::uint64_t bits = bits_at<BitOrder::first_is_lowest>(stream_.data(), mark.bit, 32);
        const auto lies_here = [&](const HuffmanCode& code) {
            return code.length > 0 && (bits & ((std::uint64_t{1} << code.length) - 1)) == code.bits;
        };
        if (const HuffmanCode& literal = block_.codes[before_[mark.byte]]; lies_here(literal)) {
            return {mark.byte + 1, mark.bit + literal.length};
        }
        std::size_t symbol = end_of_block + 1;
        while (symbol + 1 < symbols && !lies_here(block_.codes[symbol])) ++symbol;
        const RunSymbol& run = run_symbols[symbol];
        const unsigned code_bits = block_.codes[symbol].length;
        const auto more = static_cast<std::uint32_t>(bits >> code_bits & ((1U << run.extra_bits) - 1));
        return {mark.byte + run.length + more, mark.bit + code_bits + run.extra_bits + 1};
    }

    Bytes stream_;
    const PhotoBlock& block_;
    Bytes before_;
};

std::vector<Cut> cuts_for(std::span<const Range> ranges, const SymbolFinder& symbols_of, const PhotoBlock& block) {
    std::vector<Cut> cuts;
    for (const Range& range : ranges) {
        // Beyond the byte after the last one that differs, so that a run which starts there goes on from a byte as it
        // was.
        const PhotoMark end = symbols_of.from(std::min(range.end + 1, block.bytes.end));
        if (!cuts.empty() && range.begin < cuts.back().end.byte) {
            cuts.back().end = end;
        } else {
            cuts.push_back({symbols_of.holding(range.begin), end});
        }
    }
    return cuts;
}

// Writes new bytes with the codes that a block has, which are for every byte, and runs in pieces of the lengths that
// have one.
class MendWriter {
  public:
    explicit MendWriter(const PhotoBlock& block) : codes_(block.codes), begin_(block.bytes.begin) {
        for (std::size_t length = shortest_piece; length <= longest_run; ++length) {
            pieces_[length] =
                codes_[run_codes[length].symbol].length > 0 ? static_cast<std::uint16_t>(length) : pieces_[length - 1];
        }
    }

    BitString write(Bytes data, const Cut& cut) {
        BitString bits;
        DeflateWriter out(bits.bytes);
        out.reserve(room_for(cut.end.byte - cut.begin.byte));
        std::size_t at = cut.begin.byte;
        const auto put = [&](std::uint8_t byte) {
            out.put(codes_[byte]);
            out.flush();
            ++at;
        };
        walk(
            data, cut.begin.byte, cut.end.byte, cut.begin.byte == begin_ ? Ahead::is_not : Ahead::is_there,
            [&](const std::uint8_t* four) {
                for (std::size_t i = 0; i < 4; ++i) put(four[i]);
            },
            put,
            [&](std::size_t length) {
                for (std::size_t piece = pieces_[length]; piece > 0; piece = pieces_[length]) {
                    const RunCode& run = run_codes[piece];
                    out.put(codes_[run.symbol]);
                    out.put(run.extra, run.extra_bits);
                    out.put(0, 1);
                    out.flush();
                    at += piece;
                    length -= piece;
                }
                for (; length > 0; --length) put(data[at]);
            });
        out.finish(false);
        bits.count = out.count();
        return bits;
    }

  private:
    static constexpr std::size_t shortest_piece = 3;
    std::span<const HuffmanCode, symbols> codes_;
    std::size_t begin_;                                    // of the block
    std::array<std::uint16_t, longest_run + 1> pieces_{};  // of a run that long: how long a piece has a code; 0: none
};

}  // namespace

std::vector<BlockMend> photo_mend_block(std::span<const std::uint8_t> stream, const PhotoBlock& block,
                                        std::span<const std::uint8_t> before, std::span<const std::uint8_t> after) {
    const std::vector<Range> ranges = differences(before, after, block);
    std::size_t changed = 0;
    for (const Range& range : ranges) changed += range.end - range.begin;
    if (4 * changed > 3 * (block.bytes.end - block.bytes.begin)) return {};
    std::vector<BlockMend> mends;
    std::size_t kept_from = 0;
    std::size_t new_bits = 0;
    MendWriter writer(block);
    for (const Cut& cut : cuts_for(ranges, SymbolFinder(stream, block, before), block)) {
        mends.push_back({kept_from, cut.begin.bit - block.first_bit - kept_from, writer.write(after, cut)});
        new_bits += mends.back().then.count;
        kept_from = cut.end.bit - block.first_bit;
    }
    if (4 * new_bits > 3 * block.bits) return {};  // codes of its own would suit it better
    mends.push_back({kept_from, block.bits - kept_from, {}});
    return mends;
}

}  // namespace tessera::codecs
