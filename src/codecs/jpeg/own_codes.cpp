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

// A run of zeros and how many bits the number after it has, or one of two that stand for no number.
bool are_of_baseline(std::span<const std::uint8_t> symbols, bool is_ac) {
    return std::ranges::all_of(symbols, [&](unsigned symbol) {
        if (!is_ac) return symbol <= most_dc_bits;
        const unsigned size = symbol & 15;
        return size == 0 ? symbol == last_of_block || symbol == sixteen_zeros : size <= most_ac_bits;
    });
}

bool take_tables(SegmentBody body, Head& head) {
    const auto tables = parse_huffman_tables(body);
    if (!tables) return false;
    for (const HuffmanTable& table : *tables) {
        const auto symbols = HuffmanSymbols::make(table);
        if (!symbols || table.index >= most_tables || !are_of_baseline(symbols->all(), table.is_ac)) return false;
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

// With at least 32 bits at hand.
TESSERA_INLINE Token take_token(BitReader& bits, const HuffmanSymbols& symbols, std::size_t table, unsigned size_mask) {
    const HuffmanSymbols::Symbol found = symbols.find(bits.peek(16));
    const unsigned size = found.symbol & size_mask;
    const auto value = static_cast<std::uint16_t>(bits.peek_after(found.length, static_cast<int>(size)));
    bits.skip(found.length + static_cast<int>(size));
    return {static_cast<std::uint16_t>(table + found.symbol), value};
}

// Where the tokens of a block end; nothing where they are none.
TESSERA_INLINE Token* read_block(BitReader& bits, const Head& head, const Block& block, Token* to) {
    const HuffmanSymbols& symbols = *head.ac[block.ac_table];
    const std::size_t table = first_of_ac + block.ac_table * symbols_of_table;
    bits.refill();
    *to++ = take_token(bits, *head.dc[block.dc_table], block.dc_table * symbols_of_table, 255);
    unsigned k = 1;
    while (k < 64) {
        bits.refill();
        // A refill is enough for two.
        for (int i = 0; i < 2; ++i) {
            const Token token = take_token(bits, symbols, table, 15);
            *to++ = token;
            if (token.symbol == table + last_of_block) return to;
            k += ((token.symbol & 255U) >> 4) + 1;
            if (k >= 64) break;
        }
    }
    return k == 64 ? to : nullptr;
}

struct ReadTokens {
    Token* tokens;  // behind the last of them; nothing where they are none
    std::size_t mcus;
};

// As many MCUs as there are, or as fit.
TESSERA_BITWISE
ReadTokens read_mcus(BitReader& to_read, const Head& head, std::size_t mcu, Token* to, const Token* full) {
    BitReader bits = to_read;
    for (; mcu < head.mcus && to <= full; ++mcu) {
        for (const Block& block : head.blocks) {
            to = read_block(bits, head, block, to);
            if (to == nullptr) return {nullptr, mcu};
        }
    }
    to_read = bits;
    return {to, mcu};
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
        const Token* full = tokens_.data() + tokens_.size() - most_of_mcu_;
        const ReadTokens read = read_mcus(*bits_, head_, mcu_, tokens_.data(), full);
        mcu_ = read.mcus;
        if (read.tokens == nullptr || bits_->is_overrun()) return std::nullopt;
        return std::span<const Token>(tokens_.data(), static_cast<std::size_t>(read.tokens - tokens_.data()));
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

TESSERA_INLINE void write_token(const Token& token, const Codes& codes, ScanWriter& out) {
    const Code& code = codes[token.symbol];
    out.put(std::uint64_t{code.bits} << code.value_bits | token.value, code.length + code.value_bits);
}

TESSERA_BITWISE
void write_some(std::span<const Token> tokens, const Codes& codes, ScanWriter& to) {
    ScanWriter out = to;  // in registers
    std::size_t i = 0;
    for (; i + 1 < tokens.size(); i += 2) {
        write_token(tokens[i], codes, out);
        write_token(tokens[i + 1], codes, out);
        out.flush();
    }
    if (i < tokens.size()) write_token(tokens[i], codes, out);
    out.flush();
    to.go_on_from(out);
}

void write_tokens(std::span<const Token> tokens, const Codes& codes, ScanWriter& out) {
    constexpr std::size_t tokens_at_once = 4096;
    while (!tokens.empty()) {
        const auto some = tokens.first(std::min(tokens_at_once, tokens.size()));
        out.reserve(some.size() * sizeof(std::uint32_t));
        write_some(some, codes, out);
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
