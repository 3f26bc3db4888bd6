#include <array>

#include "codecs/png/photo_deflate.hpp"
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

std::vector<Range> differences(Bytes before, Bytes after, DeflateBlock block) {
    std::vector<Range> ranges;
    const auto add = [&](std::size_t at) {
        if (!ranges.empty() && at - ranges.back().end < shortest_kept) {
            ranges.back().end = at + 1;
        } else {
            ranges.push_back({at, at + 1});
        }
    };
    // A run may go on from the byte ahead of the block.
    if (block.begin > 0 && before[block.begin - 1] != after[block.begin - 1]) add(block.begin);
    for (std::size_t at = block.begin; at < block.end;) {
        if (block.end - at >= 8 && load64(before.data() + at) == load64(after.data() + at)) {
            at += 8;
            continue;
        }
        const std::size_t stop = std::min(block.end, at + 8);
        for (; at < stop; ++at) {
            if (before[at] != after[at]) add(at);
        }
    }
    return ranges;
}

// What is replaced: whole runs and single bytes of the block as it was, and the bits that they have there.
struct Cut {
    std::size_t begin = 0;
    std::size_t end = 0;
    std::size_t first_bit = 0;
    std::size_t end_bit = 0;
};

// Goes along the runs and single bytes of the block as it was and notes where changes begin and end.
class Cutter {
  public:
    Cutter(std::span<const Range> ranges, DeflateBlock block, const BlockOutline& outline)
        : ranges_(ranges), codes_(outline.codes), at_(block.begin), bit_(outline.header.count) {}

    std::vector<Cut> cut(Bytes before, DeflateBlock block) {
        walk(
            before, block.begin, block.end,
            [&](const std::uint8_t* four) {
                if (at_ + 4 <= calm_until()) {
                    for (std::size_t i = 0; i < 4; ++i) bit_ += codes_[four[i]].length;
                    at_ += 4;
                    return;
                }
                for (std::size_t i = 0; i < 4; ++i) pass(1, codes_[four[i]].length);
            },
            [&](std::uint8_t byte) { pass(1, codes_[byte].length); },
            [&](std::size_t length) {
                const RunCode& run = run_codes[length];
                pass(length, codes_[run.symbol].length + run.extra_bits + 1U);
            });
        if (cutting_) end_cut();
        return std::move(cuts_);
    }

  private:
    // Nothing begins or ends with bytes ahead of this one.
    [[nodiscard]] std::size_t calm_until() const {
        if (ranges_.empty()) return SIZE_MAX;
        return cutting_ ? ranges_.front().end + 1 : ranges_.front().begin;
    }
    void pass(std::size_t bytes, std::size_t bits) {
        // Beyond the byte after the last one that differs, so that a run which starts here goes on from a byte as it
        // was.
        if (cutting_ && at_ > ranges_.front().end) end_cut();
        if (!cutting_ && !ranges_.empty() && ranges_.front().begin < at_ + bytes) {
            cutting_ = true;
            cuts_.push_back({.begin = at_, .first_bit = bit_});
        }
        // All that ends within a run is one cut.
        while (cutting_ && ranges_.size() > 1 && ranges_[1].begin < at_ + bytes) ranges_ = ranges_.subspan(1);
        at_ += bytes;
        bit_ += bits;
    }
    void end_cut() {
        cuts_.back().end = at_;
        cuts_.back().end_bit = bit_;
        cutting_ = false;
        ranges_ = ranges_.subspan(1);
    }

    std::span<const Range> ranges_;  // those that are not behind us
    std::span<const HuffmanCode, symbols> codes_;
    std::size_t at_;
    std::size_t bit_;
    bool cutting_ = false;
    std::vector<Cut> cuts_;
};

// Writes new bytes with the codes that a block has, which are for every byte, and runs in pieces of the lengths that
// have one.
class MendWriter {
  public:
    explicit MendWriter(const BlockOutline& outline) : codes_(outline.codes) {
        for (std::size_t length = shortest_piece; length <= longest_run; ++length) {
            pieces_[length] =
                codes_[run_codes[length].symbol].length > 0 ? static_cast<std::uint16_t>(length) : pieces_[length - 1];
        }
    }

    BitString write(Bytes data, const Cut& cut) {
        BitString bits;
        DeflateWriter out(bits.bytes);
        out.reserve(room_for(cut.end - cut.begin));
        std::size_t at = cut.begin;
        const auto put = [&](std::uint8_t byte) {
            out.put(codes_[byte]);
            out.flush();
            ++at;
        };
        walk(
            data, cut.begin, cut.end,
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
    std::array<std::uint16_t, longest_run + 1> pieces_{};  // of a run that long: how long a piece has a code; 0: none
};

}  // namespace

std::vector<BlockMend> photo_mend_block(std::span<const std::uint8_t> before, std::span<const std::uint8_t> after,
                                        DeflateBlock block, const BlockOutline& outline) {
    const std::vector<Range> ranges = differences(before, after, block);
    std::size_t changed = 0;
    for (const Range& range : ranges) changed += range.end - range.begin;
    if (4 * changed > 3 * (block.end - block.begin)) return {};
    std::vector<BlockMend> mends;
    std::size_t kept_from = 0;
    std::size_t new_bits = 0;
    MendWriter writer(outline);
    for (const Cut& cut : Cutter(ranges, block, outline).cut(before, block)) {
        mends.push_back({kept_from, cut.first_bit - kept_from, writer.write(after, cut)});
        new_bits += mends.back().then.count;
        kept_from = cut.end_bit;
    }
    if (4 * new_bits > 3 * outline.bits) return {};  // codes of its own would suit it better
    mends.push_back({kept_from, outline.bits - kept_from, {}});
    return mends;
}

}  // namespace tessera::codecs
