#include "codecs/png/photo_symbols.hpp"

#include <algorithm>

namespace tessera::codecs::photo {
namespace {

// Whether the codes use up all there is, so that any bits are a code.
bool is_complete(std::span<const HuffmanCode> codes, unsigned longest) {
    std::size_t used = 0;
    for (const HuffmanCode& code : codes) {
        if (code.length > 0) used += std::size_t{1} << (longest - code.length);
    }
    return used == std::size_t{1} << longest;
}

void put(std::span<SymbolTable::Entry> table, std::size_t bits, unsigned length, SymbolTable::Entry entry) {
    for (std::size_t i = bits; i < table.size(); i += std::size_t{1} << length) table[i] = entry;
}

}  // namespace

bool read_block_header(DeflateReader& reader, bool& is_last, std::span<HuffmanCode, symbols> codes) {
    constexpr unsigned longest_length_code = 7;
    reader.refill();
    is_last = reader.take(1) == 1;
    const bool has_own_codes = reader.take(2) == 2;
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

// The table for codes that begin with the bits of an entry.
std::span<SymbolTable::Entry> SymbolTable::rest_of(Entry& entry) {
    if (entry == 0) entry = ++rests_used_ << 8;
    return rests_[entry >> 8];
}

// With the bytes that follow within what is looked at.
TESSERA_INLINE SymbolTable::Entry SymbolTable::joined(std::size_t i) const {
    Entry entry = entries_[i];
    if (bytes_of(entry) == 0) return entry;
    for (unsigned shift = 16; shift <= 24; shift += 8) {
        const Entry next = entries_[i >> bits_of(entry)];
        if (bytes_of(next) != 1 || bits_of(entry) + bits_of(next) > looked_at) break;
        entry = (entry + bits_of(next) + one_byte) | next >> 8 << shift;
    }
    return entry;
}

void SymbolTable::fill(std::span<const HuffmanCode, symbols> codes) {
    entries_.fill(0);
    rests_used_ = 0;
    for (std::uint32_t symbol = 0; symbol < symbols; ++symbol) {
        const HuffmanCode& code = codes[symbol];
        if (code.length == 0) continue;
        const Entry entry = code.length | (symbol < end_of_block ? one_byte : 0) | symbol << 8;
        if (code.length <= looked_at) {
            put(entries_, code.bits, code.length, entry);
        } else {
            put(rest_of(entries_[code.bits % entries_.size()]), code.bits >> looked_at, code.length - looked_at, entry);
        }
    }
    // From the end, so that what an entry looks at, ahead of itself, is one byte still.
    for (std::size_t i = entries_.size(); i-- > 0;) entries_[i] = joined(i);
}

}  // namespace tessera::codecs::photo
