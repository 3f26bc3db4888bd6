#include "codecs/jpeg/own_codes.hpp"

#include <algorithm>
#include <array>

#include "codecs/bits/bit_writer.hpp"
#include "codecs/jpeg/huffman.hpp"
#include "codecs/jpeg/markers.hpp"
#include "codecs/jpeg/segments.hpp"
#include "codecs/jpeg/stuffing.hpp"

namespace tessera::codecs {
namespace {

using Bytes = std::vector<std::uint8_t>;

constexpr unsigned last_of_block = 0x00;  // symbols that stand for no coefficient
constexpr unsigned sixteen_zeros = 0xF0;
constexpr unsigned most_dc_bits = 11;
constexpr unsigned most_ac_bits = 10;
constexpr std::size_t most_tables = 4;  // of each kind
constexpr std::size_t symbols_of_table = 256;
constexpr std::size_t first_of_ac = most_tables * symbols_of_table;

// A symbol, and the bits of the number that follows it.
struct Token {
    std::uint16_t symbol;  // 256 times its table, and itself; those for AC come after those for DC
    std::uint16_t value;
};

// What a symbol becomes.
struct Code {
    std::uint16_t bits = 0;
    std::uint8_t length = 0;
    std::uint8_t value_bits = 0;
};
using Codes = std::array<Code, 2 * first_of_ac>;
using Counts = std::array<std::uint32_t, 2 * first_of_ac>;

struct Block {
    std::size_t dc_table;
    std::size_t ac_table;
};

// What comes before the coded data.
struct Head {
    Bytes kept;  // all but Huffman tables and the header of the scan
    std::span<const std::uint8_t> scan_header;
    std::size_t end = 0;
    std::array<std::optional<HuffmanSymbols>, most_tables> dc;
    std::array<std::optional<HuffmanSymbols>, most_tables> ac;
    std::vector<Block> blocks;  // of an MCU
    std::size_t mcus = 0;
};

bool take_tables(SegmentBody body, Head& head) {
    const auto tables = parse_huffman_tables(body);
    if (!tables) return false;
    for (const HuffmanTable& table : *tables) {
        const auto symbols = HuffmanSymbols::make(table);
        if (!symbols || table.index >= most_tables) return false;
        (table.is_ac ? head.ac : head.dc)[table.index] = symbols;
    }
    return true;
}

bool take_scan(const ScanHeader& scan, const FrameHeader& frame, Head& head) {
    const bool is_baseline = scan.first == 0 && scan.last == 63 && scan.high_bit == 0 && scan.low_bit == 0;
    const std::size_t components = scan.components.size();
    if (!is_baseline || frame.precision != 8 || components != frame.components.size()) return false;
    int across = 1;
    int down = 1;
    for (std::size_t i = 0; i < components; ++i) {
        const FrameHeader::Component& shape = frame.components[i];
        const auto [id, dc, ac] = scan.components[i];
        const bool has_tables = dc < most_tables && ac < most_tables && head.dc[dc] && head.ac[ac];
        if (id != shape.id || !has_tables) return false;
        across = std::max(across, shape.horizontal);
        down = std::max(down, shape.vertical);
        head.blocks.insert(head.blocks.end(), static_cast<std::size_t>(shape.horizontal * shape.vertical), {dc, ac});
    }
    // A component by itself has no MCUs but its blocks, whatever its factors.
    if (components == 0 || (components == 1 && head.blocks.size() > 1)) return false;
    const auto in = [](int edge, int side) { return static_cast<std::size_t>((edge + side - 1) / side); };
    head.mcus = in(frame.width, 8 * across) * in(frame.height, 8 * down);
    return true;
}

std::optional<Head> read_head(std::span<const std::uint8_t> file) {
    Head head;
    std::optional<FrameHeader> frame;
    for (auto segment = segment_at(file, 0); segment; segment = segment_at(file, segment->end)) {
        const auto bytes = file.subspan(segment->begin, segment->end - segment->begin);
        if (segment->marker == jpeg_sos) {
            head.scan_header = bytes;
            head.end = segment->end;
            const auto scan = parse_scan_header(segment->body);
            if (!scan || !frame || !take_scan(*scan, *frame, head)) return std::nullopt;
            return head;
        }
        if (segment->marker == jpeg_dht) {
            if (!take_tables(segment->body, head)) return std::nullopt;
            continue;
        }
        if (segment->marker == jpeg_sof0) {
            frame = parse_frame_header(segment->body);
        } else if (segment->marker != jpeg_soi && segment->marker != jpeg_dqt &&
                   !is_application_data(segment->marker)) {
            return std::nullopt;
        }
        head.kept.insert(head.kept.end(), bytes.begin(), bytes.end());
    }
    return std::nullopt;
}

TESSERA_INLINE std::uint16_t take_value(BitReader& bits, unsigned count) {
    return count == 0 ? std::uint16_t{0} : static_cast<std::uint16_t>(bits.take(static_cast<int>(count)));
}

// Where the tokens of a block end; nothing where they are none.
TESSERA_INLINE Token* read_block(BitReader& bits, const Head& head, const Block& block, Token* to) {
    bits.refill();
    const auto first = static_cast<unsigned>(head.dc[block.dc_table]->take(bits));
    if (first > most_dc_bits) return nullptr;
    *to++ = {static_cast<std::uint16_t>(block.dc_table * symbols_of_table + first), take_value(bits, first)};
    const HuffmanSymbols& symbols = *head.ac[block.ac_table];
    const std::size_t table = first_of_ac + block.ac_table * symbols_of_table;
    for (unsigned k = 1; k < 64; ++k) {
        bits.refill();
        const auto symbol = static_cast<unsigned>(symbols.take(bits));
        const unsigned size = symbol & 15;
        *to++ = {static_cast<std::uint16_t>(table + symbol), take_value(bits, size)};
        if (symbol == last_of_block) break;
        k += symbol >> 4;
        if (k > 63 || size > most_ac_bits || (size == 0 && symbol != sixteen_zeros)) return nullptr;
    }
    return to;
}

// The symbols of a scan, many at a time: all of a small picture at once, and never more than a few megabytes.
class TokenReader {
  public:
    TokenReader(std::span<const std::uint8_t> coded, const Head& head)
        : coded_(coded), head_(head), most_of_mcu_(head.blocks.size() * 64) {
        tokens_.resize(std::clamp(2 * coded.size(), most_of_mcu_, std::max(most_at_once, most_of_mcu_)));
        restart();
    }

    void restart() {
        source_.emplace(coded_);
        bits_.emplace(*source_);
        mcu_ = 0;
    }
    // None after the last ones. Nothing at all where the coded data are not those of a whole picture.
    std::optional<std::span<const Token>> next() {
        Token* to = tokens_.data();
        const Token* full = to + tokens_.size() - most_of_mcu_;
        BitReader bits = *bits_;
        for (; mcu_ < head_.mcus && to <= full; ++mcu_) {
            for (const Block& block : head_.blocks) {
                to = read_block(bits, head_, block, to);
                if (to == nullptr) return std::nullopt;
            }
        }
        bits_ = bits;
        if (bits.is_overrun()) return std::nullopt;
        return std::span<const Token>(tokens_.data(), static_cast<std::size_t>(to - tokens_.data()));
    }
    [[nodiscard]] bool is_at_end() const { return mcu_ == head_.mcus; }

  private:
    static constexpr std::size_t most_at_once = std::size_t{1} << 20;

    std::span<const std::uint8_t> coded_;
    const Head& head_;
    std::size_t most_of_mcu_;
    std::vector<Token> tokens_;
    std::optional<UnstuffedBits> source_;
    std::optional<BitReader> bits_;
    std::size_t mcu_ = 0;
};

// Appends the table for symbols that occur that often, and tells what they become. One more that is the rarest takes
// the code that is all ones, which JPEG does not allow.
void write_table(std::size_t table, std::span<const std::uint32_t> counts, std::span<Code> codes, Bytes& out) {
    const bool is_ac = table >= most_tables;
    std::array<std::uint32_t, symbols_of_table + 1> all{};
    for (std::size_t symbol = 0; symbol < symbols_of_table; ++symbol) all[symbol] = 2 * counts[symbol];
    all.back() = 1;
    std::array<HuffmanCode, all.size()> made;
    make_huffman_code(all, longest_huffman_code, made);

    std::array<std::uint8_t, 16> lengths{};
    Bytes symbols;
    unsigned next = 0;
    for (std::size_t length = 1; length <= longest_huffman_code; ++length, next <<= 1) {
        for (std::size_t symbol = 0; symbol < symbols_of_table; ++symbol) {
            if (made[symbol].length != length) continue;
            ++lengths[length - 1];
            symbols.push_back(static_cast<std::uint8_t>(symbol));
            codes[symbol] = {static_cast<std::uint16_t>(next++), static_cast<std::uint8_t>(length),
                             static_cast<std::uint8_t>(is_ac ? symbol & 15 : symbol)};
        }
    }
    const std::size_t size = 2 + 1 + lengths.size() + symbols.size();
    const std::size_t kind_and_index = is_ac ? 16 + table - most_tables : table;
    for (const std::size_t byte : {std::size_t{0xFF}, std::size_t{jpeg_dht}, size >> 8, size & 255, kind_and_index}) {
        out.push_back(static_cast<std::uint8_t>(byte));
    }
    out.insert(out.end(), lengths.begin(), lengths.end());
    out.insert(out.end(), symbols.begin(), symbols.end());
}

void write_tables(const Counts& counts, Codes& codes, Bytes& out) {
    for (std::size_t table = 0; table < 2 * most_tables; ++table) {
        const auto of_table = std::span(counts).subspan(table * symbols_of_table, symbols_of_table);
        const bool occurs = std::ranges::any_of(of_table, [](std::uint32_t count) { return count > 0; });
        if (!occurs) continue;
        write_table(table, of_table, std::span(codes).subspan(table * symbols_of_table, symbols_of_table), out);
    }
}

using ScanWriter = BitWriter<BitOrder::first_is_highest>;

void write_tokens(std::span<const Token> tokens, const Codes& codes, ScanWriter& out) {
    constexpr std::size_t tokens_at_once = 4096;
    while (!tokens.empty()) {
        const auto some = tokens.first(std::min(tokens_at_once, tokens.size()));
        out.reserve(some.size() * sizeof(std::uint32_t));
        for (const Token& token : some) {
            const Code& code = codes[token.symbol];
            out.put(std::uint64_t{code.bits} << code.value_bits | token.value, code.length + code.value_bits);
            out.flush();
        }
        tokens = tokens.subspan(some.size());
    }
}

}  // namespace

std::optional<Bytes> with_own_codes(std::span<const std::uint8_t> file) {
    auto head = read_head(file);
    if (!head) return std::nullopt;
    std::size_t end = 0;
    const Bytes coded = unstuffed(file.subspan(head->end), end);
    TokenReader reader({coded.data(), coded.size() - bit_slack}, *head);

    Counts counts{};
    auto tokens = reader.next();
    const bool is_all = tokens && reader.is_at_end();
    for (; tokens; tokens = reader.next()) {
        for (const Token& token : *tokens) ++counts[token.symbol];
        if (reader.is_at_end()) break;
    }
    if (!tokens) return std::nullopt;
    Bytes made = std::move(head->kept);
    Codes codes{};
    write_tables(counts, codes, made);

    Bytes recoded;
    ScanWriter out(recoded);
    if (!is_all) {
        reader.restart();
        tokens = reader.next();
    }
    write_tokens(*tokens, codes, out);
    while (!reader.is_at_end()) write_tokens(*reader.next(), codes, out);
    out.finish(true);
    made.insert(made.end(), head->scan_header.begin(), head->scan_header.end());
    made.reserve(made.size() + file.size());
    append_stuffed(made, recoded);
    made.insert(made.end(), {0xFF, jpeg_eoi});
    return made;
}

}  // namespace tessera::codecs
