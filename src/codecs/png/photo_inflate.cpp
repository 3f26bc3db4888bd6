#include "codecs/png/photo_inflate.hpp"

#include <algorithm>

#include "codecs/png/photo_walk.hpp"

namespace tessera::codecs {
namespace {

using namespace photo;

// Bits of the stream, in order. Those after its end are whatever follows it; who has read them finds is_overrun().
class DeflateReader {
  public:
    DeflateReader(std::span<const std::uint8_t> stream, std::size_t place)
        : start_(stream.data()), end_(stream.data() + stream.size()), next_(stream.data() + place / 8) {
        refill();
        skip(static_cast<unsigned>(place % 8));
    }
    // At least 56 bits are at hand afterwards. Not to be called after is_far_over().
    TESSERA_INLINE void refill() {
        bits_ |= load64(next_) << count_;
        next_ += (63 - count_) >> 3;
        count_ |= 56;
    }
    [[nodiscard]] TESSERA_INLINE std::uint64_t peek() const { return bits_; }
    TESSERA_INLINE void skip(unsigned count) {
        bits_ >>= count;
        count_ -= count;
    }
    TESSERA_INLINE unsigned take(unsigned count) {
        const auto value = static_cast<unsigned>(bits_ & ((std::uint64_t{1} << count) - 1));
        skip(count);
        return value;
    }
    // Bits so far.
    [[nodiscard]] TESSERA_INLINE std::size_t place() const {
        return 8 * static_cast<std::size_t>(next_ - start_) - count_;
    }
    // Whether a refill would read beyond the slack.
    [[nodiscard]] TESSERA_INLINE bool is_far_over() const { return next_ > end_ + photo_inflate_slack - 8; }
    [[nodiscard]] bool is_overrun() const { return place() > 8 * static_cast<std::size_t>(end_ - start_); }

  private:
    const std::uint8_t* start_;
    const std::uint8_t* end_;
    const std::uint8_t* next_;
    std::uint64_t bits_ = 0;  // the next one lowest
    unsigned count_ = 0;
};

// Whether the codes use up all there is, so that any bits are a code.
bool is_complete(std::span<const HuffmanCode> codes, unsigned longest) {
    std::size_t used = 0;
    for (const HuffmanCode& code : codes) {
        if (code.length > 0) used += std::size_t{1} << (longest - code.length);
    }
    return used == std::size_t{1} << longest;
}

// The header of a block as write_header() writes it: lengths of all codes, of bytes each, and one distance.
bool read_header(DeflateReader& reader, bool is_last, std::span<HuffmanCode, symbols> codes) {
    constexpr unsigned longest_length_code = 7;
    reader.refill();
    const bool has_own_codes = reader.take(1) == (is_last ? 1U : 0U) && reader.take(2) == 2;
    const std::size_t used = reader.take(5) + 257;
    if (!has_own_codes || used > symbols || reader.take(5) != 0) return false;
    const std::size_t shown = reader.take(4) + 4;
    std::array<HuffmanCode, length_order.size()> length_codes{};
    for (std::size_t i = 0; i < shown; ++i) {
        if (reader.is_far_over()) return false;
        reader.refill();
        length_codes[length_order[i]].length = static_cast<std::uint16_t>(reader.take(3));
    }
    if (!is_complete(length_codes, longest_length_code)) return false;
    number_huffman_code(length_codes);
    std::array<std::uint8_t, 1 << longest_length_code> symbol_of{};
    for (std::uint8_t symbol = 0; symbol < length_codes.size(); ++symbol) {
        const HuffmanCode& code = length_codes[symbol];
        if (code.length == 0) continue;
        for (std::size_t i = code.bits; i < symbol_of.size(); i += std::size_t{1} << code.length) symbol_of[i] = symbol;
    }

    std::array<std::uint16_t, symbols + 1> lengths{};  // and that of the distance
    for (std::size_t i = 0; i <= used;) {
        if (reader.is_far_over()) return false;
        reader.refill();
        const std::uint8_t symbol = symbol_of[reader.peek() % symbol_of.size()];
        reader.skip(length_codes[symbol].length);
        if (symbol <= longest_code) {
            lengths[i++] = symbol;
        } else if (symbol == 17) {
            i += 3 + reader.take(3);
        } else if (symbol == 18) {
            i += 11 + reader.take(7);
        } else {
            return false;
        }
        if (i > used + 1) return false;
    }
    if (lengths[used] != 1) return false;
    for (std::size_t symbol = 0; symbol < symbols; ++symbol) {
        codes[symbol] = {.bits = 0, .length = symbol < used ? lengths[symbol] : std::uint16_t{0}};
    }
    if (!std::all_of(codes.begin(), codes.begin() + end_of_block + 1, [](auto code) { return code.length > 0; })) {
        return false;
    }
    if (!is_complete(codes, longest_code)) return false;
    number_huffman_code(codes);
    return true;
}

// What the next bits stand for: up to three bytes at once. An entry's lowest six bits say how many bits that takes; 0
// is for more than are looked at, and then the number that follows says where to look for the rest. Two more say how
// many bytes it is; 0 is for a symbol that is no byte. The others are the bytes, the first one lowest, or the symbol.
class SymbolTable {
  public:
    using Entry = std::uint32_t;
    static constexpr unsigned looked_at = 11;
    static TESSERA_INLINE unsigned bits_of(Entry entry) { return entry & 63; }
    static TESSERA_INLINE unsigned bytes_of(Entry entry) { return entry >> 6 & 3; }

    // The codes are complete.
    void fill(std::span<const HuffmanCode, symbols> codes) {
        entries_.fill(0);
        rests_used_ = 0;
        for (std::uint32_t symbol = 0; symbol < symbols; ++symbol) {
            const HuffmanCode& code = codes[symbol];
            if (code.length == 0) continue;
            const Entry entry = code.length | (symbol < end_of_block ? one_byte : 0) | symbol << 8;
            if (code.length <= looked_at) {
                put(entries_, code.bits, code.length, entry);
            } else {
                put(rest_of(entries_[code.bits % entries_.size()]), code.bits >> looked_at, code.length - looked_at,
                    entry);
            }
        }
        // From the end, so that what an entry looks at, ahead of itself, is one byte still.
        for (std::size_t i = entries_.size(); i-- > 0;) entries_[i] = joined(i);
    }
    [[nodiscard]] TESSERA_INLINE Entry operator[](std::uint64_t bits) const { return entries_[bits % entries_.size()]; }
    // Where an entry takes no bits.
    [[nodiscard]] TESSERA_INLINE Entry long_code(Entry entry, std::uint64_t bits) const {
        return rests_[entry >> 8][(bits >> looked_at) % rest_size];
    }

  private:
    static constexpr Entry one_byte = 1U << 6;
    static constexpr std::size_t rest_size = std::size_t{1} << (longest_code - looked_at);
    using Rest = std::array<Entry, rest_size>;

    static void put(std::span<Entry> table, std::size_t bits, unsigned length, Entry entry) {
        for (std::size_t i = bits; i < table.size(); i += std::size_t{1} << length) table[i] = entry;
    }
    // The table for codes that begin with the bits of an entry.
    std::span<Entry> rest_of(Entry& entry) {
        if (entry == 0) entry = ++rests_used_ << 8;
        return rests_[entry >> 8];
    }
    // With the bytes that follow within what is looked at.
    [[nodiscard]] TESSERA_INLINE Entry joined(std::size_t i) const {
        Entry entry = entries_[i];
        if (bytes_of(entry) == 0) return entry;
        for (unsigned shift = 16; shift <= 24; shift += 8) {
            const Entry next = entries_[i >> bits_of(entry)];
            if (bytes_of(next) != 1 || bits_of(entry) + bits_of(next) > looked_at) break;
            entry = (entry + bits_of(next) + one_byte) | next >> 8 << shift;
        }
        return entry;
    }

    std::array<Entry, 1 << looked_at> entries_;
    std::array<Rest, symbols> rests_;  // the first one is not used; each of the others has two symbols at least
    std::uint32_t rests_used_ = 0;
};

class BlockInflater {
  public:
    BlockInflater(std::span<const std::uint8_t> stream, std::uint8_t* out) : stream_(stream), out_(out) {}

    // False where the block does not hold just these bytes.
    bool inflate(PhotoBlock& block, bool is_last) {
        DeflateReader reader(stream_, block.first_bit);
        if (!read_header(reader, is_last, block.codes)) return false;
        codes_ = block.codes;
        table_.fill(codes_);
        block.marks.reserve((block.bytes.end - block.bytes.begin) / photo_mark_step + 1);
        if (!read_symbols(reader, block)) return false;
        block.bits = reader.place() - block.first_bit;
        return !reader.is_overrun();
    }

  private:
    enum class Went { on, to_the_end, wrong };

    bool read_symbols(DeflateReader& outer, PhotoBlock& block) const {
        DeflateReader reader = outer;  // so that its parts stay in registers
        std::uint8_t* at = out_ + block.bytes.begin;
        std::uint8_t* const stop = out_ + block.bytes.end;
        Went went = Went::on;
        while (went == Went::on && at < stop) {
            if (reader.is_far_over()) return false;
            block.marks.push_back({static_cast<std::uint32_t>(at - out_), static_cast<std::uint32_t>(reader.place())});
            std::uint8_t* const next_mark = at + std::min<std::ptrdiff_t>(stop - at, photo_mark_step);
            went = read_many(reader, at, next_mark, stop);
        }
        // The end of the block, after its last byte.
        while (went == Went::on) {
            if (reader.is_far_over()) return false;
            went = read_one(reader, at, stop);
        }
        outer = reader;
        return went == Went::to_the_end && at == stop;
    }

    // Bytes up to `until` or a few more.
    TESSERA_INLINE Went read_many(DeflateReader& reader, std::uint8_t*& at, const std::uint8_t* until,
                                  std::uint8_t* stop) const {
        constexpr std::ptrdiff_t at_once = 5;  // lookups between two refills
        static_assert(at_once * SymbolTable::looked_at <= 56);
        while (at < until) {
            if (reader.is_far_over()) return Went::wrong;
            if (stop - at < 3 * at_once) {
                if (const Went went = read_one(reader, at, stop); went != Went::on) return went;
                continue;
            }
            reader.refill();
            for (std::ptrdiff_t i = 0; i < at_once; ++i) {
                const SymbolTable::Entry entry = table_[reader.peek()];
                if (SymbolTable::bytes_of(entry) == 0) [[unlikely]] {
                    if (const Went went = read_one(reader, at, stop); went != Went::on) return went;
                    break;
                }
                const std::uint32_t bytes = entry >> 8;
                std::memcpy(at, &bytes, sizeof bytes);
                at += SymbolTable::bytes_of(entry);
                reader.skip(SymbolTable::bits_of(entry));
            }
        }
        return Went::on;
    }

    // One symbol of any kind.
    TESSERA_INLINE Went read_one(DeflateReader& reader, std::uint8_t*& at, std::uint8_t* stop) const {
        if (reader.is_far_over()) return Went::wrong;
        reader.refill();
        SymbolTable::Entry entry = table_[reader.peek()];
        if (SymbolTable::bits_of(entry) == 0) entry = table_.long_code(entry, reader.peek());
        if (SymbolTable::bytes_of(entry) > 0) {
            if (at == stop) return Went::wrong;
            *at = static_cast<std::uint8_t>(entry >> 8);
            reader.skip(codes_[*at++].length);  // the entry may be of several bytes
            return Went::on;
        }
        reader.skip(SymbolTable::bits_of(entry));
        const std::size_t symbol = entry >> 8;
        if (symbol == end_of_block) return Went::to_the_end;
        const RunSymbol& run = run_symbols[symbol];
        const std::size_t length = run.length + reader.take(run.extra_bits);
        const bool goes_on_from_one = at > out_ && reader.take(1) == 0;
        if (!goes_on_from_one || length > static_cast<std::size_t>(stop - at)) return Went::wrong;
        std::memset(at, at[-1], length);
        at += length;
        return Went::on;
    }

    std::span<const std::uint8_t> stream_;
    std::uint8_t* out_;
    std::array<HuffmanCode, symbols> codes_;
    SymbolTable table_;
};

}  // namespace

std::optional<PhotoBlocks> photo_inflate(std::span<const std::uint8_t> stream, std::span<std::uint8_t> out,
                                         std::size_t size) {
    PhotoBlocks blocks;
    BlockInflater inflater(stream, out.data());
    std::size_t place = 0;
    for (const DeflateBlock& bytes : photo_blocks(size)) {
        PhotoBlock& block = blocks.emplace_back();
        block.bytes = bytes;
        block.first_bit = place;
        if (!inflater.inflate(block, bytes.end == size)) return std::nullopt;
        place += block.bits;
    }
    if ((place + 7) / 8 != stream.size()) return std::nullopt;
    return blocks;
}

}  // namespace tessera::codecs
