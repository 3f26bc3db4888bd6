#include "codecs/jpeg/tile_scan.hpp"

#include <algorithm>
#include <bit>

#include "codecs/jpeg/markers.hpp"
#include "codecs/jpeg/stuffing.hpp"
#include "codecs/jpeg/zigzag.hpp"

namespace tessera::codecs {
namespace {

constexpr unsigned eob = 0x00;  // symbols that stand for no coefficient
constexpr unsigned sixteen_zeros = 0xf0;
constexpr int most_dc_bits = 11;
constexpr int most_ac_bits = 10;
constexpr int longest_code = 16;
constexpr int largest_level = 16383;
constexpr int largest_tile = 4096;  // across and down

// How many bits a number takes, and the bits: those of the number, or for a negative one of the number less one.
int bits_of(int value) {
    return static_cast<int>(std::bit_width(static_cast<unsigned>(value < 0 ? -value : value)));
}
unsigned as_bits(int value, int count) {
    return static_cast<unsigned>(value < 0 ? value - 1 : value) & ((1U << count) - 1);
}

std::optional<PixelLayout> layout_of(const FrameHeader& frame) {
    const auto is = [&](std::size_t i, int factor) {
        return frame.components[i].horizontal == factor && frame.components[i].vertical == factor;
    };
    if (frame.components.size() == 1 && is(0, 1)) return PixelLayout::gray;
    if (frame.components.size() != 3 || !is(1, 1) || !is(2, 1)) return std::nullopt;
    if (is(0, 2)) return PixelLayout::ycbcr420;
    return is(0, 1) ? std::optional(PixelLayout::ycbcr444) : std::nullopt;
}

}  // namespace

std::optional<TileScan> TileScan::read(std::span<const std::uint8_t> file, int tile_size) {
    std::optional<TileScan> scan(std::in_place);
    if (!scan->read_segments(file, tile_size) || !scan->read_coefficients(file)) return std::nullopt;
    return scan;
}

bool TileScan::read_segments(std::span<const std::uint8_t> file, int tile_size) {
    auto segment = segment_at(file, 0);
    if (!segment || segment->marker != jpeg_soi) return false;
    QuantisationTables tables;
    while ((segment = segment_at(file, segment->end))) {
        switch (segment->marker) {
            case jpeg_sof0:
                if (!take_frame(segment->body, tile_size)) return false;
                break;
            case jpeg_dqt:
                if (!parse_quantisation_tables(segment->body, tables)) return false;
                break;
            case jpeg_dht:
                if (!take_huffman_tables(segment->body)) return false;
                break;
            case jpeg_sos: head_ = segment->end; return take_scan_header(segment->body, tables);
            default:
                if (!is_application_data(segment->marker)) return false;
        }
    }
    return false;
}

bool TileScan::take_frame(SegmentBody body, int tile_size) {
    const auto frame = parse_frame_header(body);
    if (!frame || frame->precision != 8 || !components_.empty()) return false;
    const auto layout = layout_of(*frame);
    const int mcu_side = layout == PixelLayout::ycbcr420 ? 16 : 8;
    if (!layout || tile_size > largest_tile || tile_size % mcu_side != 0) return false;
    if (frame->width != tile_size || frame->height != tile_size) return false;
    for (const FrameHeader::Component& each : frame->components) {
        if (each.quantisation_table > 3) return false;
        components_.push_back({each.id, each.quantisation_table, {}, 0, 0});
    }
    blocks_ = BlockPlanes(*layout, tile_size);
    return true;
}

bool TileScan::take_huffman_tables(SegmentBody body) {
    const auto tables = parse_huffman_tables(body);
    if (!tables) return false;
    for (const HuffmanTable& table : *tables) {
        const auto symbols = HuffmanSymbols::make(table);
        if (!symbols) return false;
        Code& code = (table.is_ac ? ac_ : dc_)[table.index].emplace(Code{CoefficientCode(*symbols), {}, {}});
        unsigned next = 0;
        std::size_t at = 0;
        for (std::size_t length = 1; length <= table.counts.size(); ++length, next <<= 1) {
            for (unsigned i = 0; i < table.counts[length - 1]; ++i, ++next, ++at) {
                code.bits[table.symbols[at]] = static_cast<std::uint16_t>(next);
                code.length[table.symbols[at]] = static_cast<std::uint8_t>(length);
            }
        }
    }
    return true;
}

bool TileScan::take_scan_header(SegmentBody body, const QuantisationTables& tables) {
    const auto scan = parse_scan_header(body);
    if (!scan || components_.empty() || scan->components.size() != components_.size()) return false;
    for (std::size_t i = 0; i < components_.size(); ++i) {
        Component& component = components_[i];
        component.dc_table = scan->components[i].dc_table;
        component.ac_table = scan->components[i].ac_table;
        if (scan->components[i].id != component.id || component.dc_table > 3 || component.ac_table > 3) return false;
        const auto& table = tables[component.quantisation_table];
        if (!dc_[component.dc_table] || !ac_[component.ac_table] || !table) return false;
        if (std::ranges::find(*table, 0) != table->end()) return false;
        for (std::size_t k = 0; k < table->size(); ++k) component.quantisation[zigzag[k]] = (*table)[k];
    }
    return scan->first == 0 && scan->last == 63 && scan->high_bit == 0 && scan->low_bit == 0;
}

bool TileScan::read_block(const Code& dc, const Code& ac, BitReader& bits, int& level, std::int16_t* block) {
    bits.refill();
    const auto first = dc.symbols.symbols().find(bits.peek(longest_code));
    if (first.length > longest_code || first.symbol > most_dc_bits) return false;
    bits.skip(first.length);
    if (first.symbol > 0) level += take_signed(bits, first.symbol);
    if (level < -largest_level || level > largest_level) return false;
    block[0] = static_cast<std::int16_t>(level);
    for (int k = 0; k < 63;) {
        bits.refill();
        const CoefficientEntry known = ac.symbols.entry(bits);
        if (known.is_known()) [[likely]] {
            bits.skip(known.bits());
            if (known.advance() == end_of_block) break;
            k += known.advance();
            if (k > 63) return false;
            block[zigzag[static_cast<std::size_t>(k)]] = known.value();
            continue;
        }
        const auto [length, symbol] = ac.symbols.symbols().find(bits.peek(longest_code));
        const int size = symbol & 0xf;
        if (length > longest_code || size > most_ac_bits) return false;
        bits.skip(length);
        if (symbol == eob) break;
        k += (symbol >> 4) + 1;
        if (k > 63 || (size == 0 && symbol != sixteen_zeros)) return false;
        if (size > 0) block[zigzag[static_cast<std::size_t>(k)]] = static_cast<std::int16_t>(take_signed(bits, size));
    }
    return !bits.is_overrun();
}

bool TileScan::read_coefficients(std::span<const std::uint8_t> file) {
    std::size_t end = 0;
    const std::vector<std::uint8_t> coded = unstuffed(file.subspan(head_), end);
    const std::span scan = std::span(coded).first(coded.size() - bit_slack);
    UnstuffedBits source(scan);
    BitReader bits(source);
    bits.refill();
    const auto note_place = [&] {
        mcu_places_.push_back(
            static_cast<std::size_t>(static_cast<std::ptrdiff_t>(8 * scan.size()) - bits.unread_bits()));
    };
    std::array<int, 3> levels{};
    mcu_places_.reserve(static_cast<std::size_t>(blocks_.mcus()) + 1);
    for (int mcu = 0; mcu < blocks_.mcus(); ++mcu) {
        note_place();
        const bool fine = blocks_.each_block_of(mcu, [&](int plane, int column, int row) {
            const auto i = static_cast<std::size_t>(plane);
            return read_block(*dc_[components_[i].dc_table], *ac_[components_[i].ac_table], bits, levels[i],
                              blocks_.block(plane, column, row));
        });
        if (!fine) return false;
    }
    note_place();
    return true;
}

bool TileScan::write(std::size_t plane, const std::int16_t* block, int before, ScanWriter& out) const {
    const auto append = [&](const Code& code, unsigned symbol, int value, int size) {
        if (code.length[symbol] == 0) return false;
        out.append(std::uint64_t{code.bits[symbol]} << size | as_bits(value, size),
                   code.length[symbol] + static_cast<unsigned>(size));
        return true;
    };
    const int difference = block[0] - before;
    const int dc_size = bits_of(difference);
    const Code& dc = *dc_[components_[plane].dc_table];
    if (dc_size > most_dc_bits || !append(dc, static_cast<unsigned>(dc_size), difference, dc_size)) return false;
    const Code& ac = *ac_[components_[plane].ac_table];
    unsigned zeros = 0;
    for (std::size_t k = 1; k < 64; ++k) {
        const int value = block[zigzag[k]];
        if (value == 0) {
            ++zeros;
            continue;
        }
        for (; zeros > 15; zeros -= 16) {
            if (!append(ac, sixteen_zeros, 0, 0)) return false;
        }
        const int size = bits_of(value);
        if (size > most_ac_bits || !append(ac, zeros << 4 | static_cast<unsigned>(size), value, size)) return false;
        zeros = 0;
    }
    return zeros == 0 || append(ac, eob, 0, 0);
}

}  // namespace tessera::codecs
