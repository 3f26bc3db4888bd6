#include "codecs/vp8/frame.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <span>
#include <string_view>

#include "codecs/vp8/trees.hpp"

namespace tessera::codecs::vp8 {
namespace {

constexpr std::uint32_t always = 255;  // as sure as a 0 can be

std::uint32_t probability_of(std::size_t zeros, std::size_t all) {
    return all == 0 ? always : static_cast<std::uint32_t>(std::clamp<std::size_t>(zeros * 256 / all, 1, 255));
}

// Section 9.3: three nodes tell which of four segments it is.
std::array<std::uint32_t, 3> segment_nodes(const Segments& segments) {
    std::size_t counts[most_segments] = {};
    for (const std::uint8_t segment : segments.of) ++counts[segment];
    return {probability_of(counts[0] + counts[1], segments.of.size()), probability_of(counts[0], counts[0] + counts[1]),
            probability_of(counts[2], counts[2] + counts[3])};
}

// The first partition: sections 9 and 19.2 of the header, 19.3 of the modes.
class FirstPartition {
  public:
    FirstPartition(const Frame& frame, BoolWriter out)
        : frame_(frame), out_(out), nodes_(segment_nodes(frame.segments)) {}

    std::span<const std::uint8_t> write(const Probabilities& probabilities) {
        out_.put_bits(0, 2);  // colours are YCbCr, and what is decoded is cut to their range
        write_segments();
        write_filter();
        out_.put_bits(0, 2);  // one partition of tokens
        out_.put_bits(static_cast<std::uint32_t>(frame_.segments.all[0].quantiser), 7);
        out_.put_bits(0, 3);  // luma has the same index for every kind of coefficients
        put_value(frame_.segments.colour_means, 4);
        out_.put_flag(false);  // as have colours, but for their means
        out_.put_flag(false);  // probabilities are of this frame alone
        write_probabilities(probabilities);
        write_modes();
        return out_.finish();
    }

  private:
    void write_segments() {
        out_.put_flag(true);
        out_.put_flag(true);  // each macroblock says which one it is in
        out_.put_flag(true);  // and here follows what they are,
        out_.put_flag(true);  // not beside another
        for (const Segment& segment : frame_.segments.all) put_value(segment.quantiser, 7);
        for (const Segment& segment : frame_.segments.all) put_value(segment.filter, 6);
        for (const std::uint32_t node : nodes_) {
            out_.put_flag(node != always);
            if (node != always) out_.put_bits(node, 8);
        }
    }
    void put_value(int value, int bits) {
        out_.put_flag(value != 0);
        if (value == 0) return;
        out_.put_bits(static_cast<std::uint32_t>(std::abs(value)), bits);
        out_.put_flag(value < 0);
    }

    void write_filter() {
        int strongest = 0;
        for (const Segment& segment : frame_.segments.all) strongest = std::max(strongest, segment.filter);
        out_.put_flag(false);  // the one that looks further than two pixels
        out_.put_bits(static_cast<std::uint32_t>(strongest), 6);
        out_.put_bits(0, 3);   // no sharper
        out_.put_flag(false);  // alike for all modes
    }

    void write_probabilities(const Probabilities& probabilities) {
        const std::uint8_t* const p = &probabilities.of[0][0][0][0];
        const std::uint8_t* const before = &default_probabilities.of[0][0][0][0];
        const std::uint8_t* const update = &update_probabilities.of[0][0][0][0];
        for (std::size_t i = 0; i < sizeof probabilities.of; ++i) {
            out_.put(p[i] != before[i], update[i]);
            if (p[i] != before[i]) out_.put_bits(p[i], 8);
        }
    }

    void write_modes() {
        const auto full = static_cast<std::size_t>(
            std::count_if(frame_.modes.begin(), frame_.modes.end(), [](const Modes& modes) { return !modes.empty; }));
        const bool some_empty = full < frame_.modes.size();
        const std::uint32_t fullness = probability_of(full, frame_.modes.size());
        out_.put_flag(some_empty);
        if (some_empty) out_.put_bits(fullness, 8);
        std::vector<std::uint8_t> above(static_cast<std::size_t>(frame_.across) * 4, from_mean);
        std::array<std::uint8_t, 4> left{};
        for (std::size_t i = 0; i < frame_.modes.size(); ++i) {
            const std::size_t column = i % static_cast<std::size_t>(frame_.across);
            if (column == 0) left.fill(from_mean);
            const std::uint8_t segment = frame_.segments.of[i];
            out_.put(segment > 1, nodes_[0]);
            out_.put(segment % 2 != 0, nodes_[segment > 1 ? 2 : 1]);
            if (some_empty) out_.put(frame_.modes[i].empty, fullness);
            write_modes_of(frame_.modes[i], above.data() + column * 4, left.data());
        }
    }
    void write_modes_of(const Modes& modes, std::uint8_t* above, std::uint8_t* left) {
        const auto put = [&](int zero, bool bit) { out_.put(bit, static_cast<std::uint32_t>(zero)); };
        put(probability_of_blocks, !modes.by_blocks);
        if (!modes.by_blocks) for_each_bit_of_macroblock_mode(modes.mode, put);
        for (int block = 0; block < 16; ++block) {
            std::uint8_t& up = above[block % 4];
            std::uint8_t& before = left[block / 4];
            const std::uint8_t mode = modes.of_blocks[block];
            if (modes.by_blocks) {
                const std::uint8_t* const p = block_mode_probabilities[up][before];
                for_each_bit_of_mode(mode, [&](int node, bool bit) { put(p[node], bit); });
            }
            up = before = mode;
        }
        for_each_bit_of_chroma_mode(modes.of_chroma, put);
    }

    const Frame& frame_;
    BoolWriter out_;
    const std::array<std::uint32_t, 3> nodes_;
};

constexpr std::size_t largest_first_partition = (1U << 19) - 1;

// More bits than the first partition can have.
std::size_t room_for_first(const Frame& frame) {
    return sizeof(Probabilities) * 9 + frame.modes.size() * (4 + 3 + 16 * 9 + 3) + 256;
}

}  // namespace

std::optional<std::span<const std::uint8_t>> FrameWriter::write(const Frame& frame) {
    const Probabilities probabilities = frame.tokens.best_probabilities();
    const auto first = FirstPartition(frame, {room_for_modes_, room_for_first(frame)}).write(probabilities);
    if (first.size() > largest_first_partition) return std::nullopt;
    const auto second = frame.tokens.write(probabilities, {room_for_tokens_, frame.tokens.bits()}).finish();

    file_.clear();
    const auto text = [&](std::string_view name) { file_.insert(file_.end(), name.begin(), name.end()); };
    const auto number = [&](std::size_t value, int bytes) {
        for (int i = 0; i < bytes; ++i) file_.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
    };
    const std::size_t size = 10 + first.size() + second.size();
    const std::size_t padding = size % 2;
    file_.reserve(20 + size + padding);
    text("RIFF");
    number(12 + size + padding, 4);
    text("WEBPVP8 ");
    number(size, 4);
    number(first.size() << 5 | 1U << 4, 3);  // section 9.1: a key frame that is shown
    number(0x2a019d, 3);
    number(static_cast<std::size_t>(frame.width), 2);
    number(static_cast<std::size_t>(frame.height), 2);
    file_.insert(file_.end(), first.begin(), first.end());
    file_.insert(file_.end(), second.begin(), second.end());
    number(0, static_cast<int>(padding));
    return file_;
}

}  // namespace tessera::codecs::vp8
