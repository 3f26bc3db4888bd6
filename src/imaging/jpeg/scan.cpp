#include "imaging/jpeg/scan.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

namespace tessera::imaging {
namespace {

using View = std::span<const std::uint8_t>;

constexpr std::array<std::uint8_t, 64> zigzag = {0,  1,  8,  16, 9,  2,  3,  10, 17, 24, 32, 25, 18, 11, 4,  5,
                                                 12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6,  7,  14, 21, 28,
                                                 35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51,
                                                 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63};

constexpr unsigned no_more = 0x00;  // symbols that stand for no coefficient
constexpr unsigned sixteen_zeros = 0xf0;
constexpr unsigned most_dc_bits = 11;
constexpr unsigned most_ac_bits = 10;
constexpr unsigned longest_code = 16;
constexpr int largest_level = 16383;
constexpr unsigned largest_tile = 4096;  // across and down

unsigned be16(const std::uint8_t* at) {
    return static_cast<unsigned>(at[0]) << 8 | at[1];
}

// How many bits a number takes, and the bits: those of the number, or for a negative one of the number less one.
unsigned bits_of(int value) {
    return static_cast<unsigned>(std::bit_width(static_cast<unsigned>(value < 0 ? -value : value)));
}
unsigned as_bits(int value, unsigned count) {
    return static_cast<unsigned>(value < 0 ? value - 1 : value) & ((1U << count) - 1);
}

}  // namespace

std::optional<TileScan> TileScan::read(std::span<const std::uint8_t> file) {
    std::optional<TileScan> scan(std::in_place);
    if (!scan->read_markers(file) || !scan->read_coefficients(file)) return std::nullopt;
    return scan;
}

bool TileScan::read_markers(View file) {
    if (file.size() < 4 || file[0] != 0xff || file[1] != 0xd8) return false;
    for (std::size_t at = 2; at + 4 <= file.size();) {
        const std::size_t length = be16(&file[at + 2]);
        if (file[at] != 0xff || length < 2 || length > file.size() - at - 2) return false;
        const View body = file.subspan(at + 4, length - 2);
        const std::uint8_t marker = file[at + 1];
        at += 2 + length;
        if (marker == 0xda) {
            head_ = at;
            return read_scan_header(body);
        }
        // Names and comments say nothing about the bits.
        const bool fine = marker == 0xc0   ? read_frame(body)
                          : marker == 0xc4 ? read_codes(body)
                          : marker == 0xdb ? read_steps(body)
                                           : marker == 0xfe || (marker & 0xf0) == 0xe0;
        if (!fine) return false;
    }
    return false;
}

bool TileScan::read_frame(View body) {
    if (body.size() < 6 || body[0] != 8 || !planes_.empty()) return false;
    height_ = be16(&body[1]);
    width_ = be16(&body[3]);
    const std::size_t count = body[5];
    if ((count != 1 && count != 3) || body.size() != 6 + 3 * count) return false;
    unsigned side = 8;  // of an MCU
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint8_t factors = body[6 + 3 * i + 1];
        const bool doubled = i == 0 && count == 3 && factors == 0x22;
        if ((factors != 0x11 && !doubled) || body[6 + 3 * i + 2] > 3) return false;
        if (doubled) side = 16;
        Plane& plane = planes_.emplace_back();
        plane.id = body[6 + 3 * i];
        plane.blocks = doubled ? 2 : 1;
        plane.table = body[6 + 3 * i + 2];
    }
    if (width_ == 0 || width_ % side != 0 || width_ > largest_tile) return false;
    if (height_ == 0 || height_ % side != 0 || height_ > largest_tile) return false;
    for (Plane& plane : planes_) plane.across = static_cast<int>(width_ / side) * plane.blocks;
    return true;
}

bool TileScan::read_steps(View body) {
    for (; !body.empty(); body = body.subspan(65)) {
        if (body.size() < 65 || body[0] > 3) return false;  // eight bits each
        auto& steps = steps_[body[0]].emplace();
        for (std::size_t i = 0; i < 64; ++i) {
            steps[zigzag[i]] = body[1 + i];
            if (body[1 + i] == 0) return false;
        }
    }
    return true;
}

bool TileScan::read_codes(View body) {
    while (!body.empty()) {
        if (body.size() < 17 || (body[0] & 0xf) > 3 || body[0] >> 4 > 1) return false;
        HuffmanDefinition definition;
        std::copy_n(body.begin() + 1, 16, definition.counts.begin());
        const std::size_t count = std::accumulate(body.begin() + 1, body.begin() + 17, std::size_t{0});
        if (count > definition.symbols.size() || body.size() < 17 + count) return false;
        std::copy_n(body.begin() + 17, count, definition.symbols.begin());
        const auto symbols = HuffmanSymbols::make(definition);
        if (!symbols) return false;
        Code& code = (body[0] >> 4 == 0 ? dc_ : ac_)[body[0] & 0xf].emplace(Code{CoefficientCode(*symbols), {}, {}});
        unsigned next = 0;
        std::size_t at = 0;
        for (unsigned length = 1; length <= longest_code; ++length, next <<= 1) {
            for (unsigned i = 0; i < definition.counts[length - 1]; ++i, ++next, ++at) {
                code.bits[definition.symbols[at]] = static_cast<std::uint16_t>(next);
                code.length[definition.symbols[at]] = static_cast<std::uint8_t>(length);
            }
        }
        body = body.subspan(17 + count);
    }
    return true;
}

bool TileScan::read_scan_header(View body) {
    const std::size_t count = planes_.size();
    if (count == 0 || body.size() != 4 + 2 * count || body[0] != count) return false;
    for (std::size_t i = 0; i < count; ++i) {
        Plane& plane = planes_[i];
        plane.dc = body[2 + 2 * i] >> 4;
        plane.ac = body[2 + 2 * i] & 0xf;
        if (body[1 + 2 * i] != plane.id || plane.dc > 3 || plane.ac > 3) return false;
        if (!dc_[plane.dc] || !ac_[plane.ac] || !steps_[plane.table]) return false;
        plane.steps = *steps_[plane.table];
    }
    return body[1 + 2 * count] == 0 && body[2 + 2 * count] == 63 && body[3 + 2 * count] == 0;
}

// A place in a scan whose zeros are taken out, and the bits from there on.
class TileScan::Cursor {
  public:
    explicit Cursor(const std::vector<std::uint8_t>& bits)  // with bit_slack after them
        : bytes_(bits.data()), end_(8 * (bits.size() - bit_slack)) {}

    [[nodiscard]] std::size_t place() const { return place_; }
    [[nodiscard]] bool is_inside() const { return place_ <= end_; }
    // Enough for a code and its number. False at the end.
    TESSERA_INLINE bool refill() {
        if (held_ >= longest_code + most_dc_bits) return true;
        if (place_ > end_) return false;
        ahead_ = load_big_endian(bytes_ + place_ / 8) << (place_ % 8);
        held_ = 57;
        return true;
    }
    [[nodiscard]] TESSERA_INLINE std::size_t peek(unsigned count) const {
        return static_cast<std::size_t>(ahead_ >> (64 - count));
    }
    TESSERA_INLINE void skip(unsigned count) {
        ahead_ <<= count;
        held_ -= count;
        place_ += count;
    }
    // A number of so many bits, as JPEG writes it: those that start with 0 are negative.
    TESSERA_INLINE int take_number(unsigned count) {
        if (count == 0) return 0;
        const auto value = static_cast<int>(peek(count));
        skip(count);
        return value < 1 << (count - 1) ? value - (1 << count) + 1 : value;
    }

  private:
    const std::uint8_t* bytes_;
    std::size_t end_;
    std::size_t place_ = 0;
    std::uint64_t ahead_ = 0;  // the next one highest
    unsigned held_ = 0;
};

bool TileScan::read_block(const Code& dc, const Code& ac, Cursor& at, int& level, std::int16_t* block) {
    if (!at.refill()) return false;
    const auto first = dc.symbols.symbols().find(at.peek(longest_code));
    if (first.length > longest_code || first.symbol > most_dc_bits) return false;
    at.skip(first.length);
    level += at.take_number(first.symbol);
    if (level < -largest_level || level > largest_level) return false;
    block[0] = static_cast<std::int16_t>(level);
    for (int i = 0; i < 63;) {
        if (!at.refill()) return false;
        const CoefficientEntry known = ac.symbols.entry(at.peek(CoefficientCode::value_bits));
        if (known.is_known()) [[likely]] {
            at.skip(static_cast<unsigned>(known.bits()));
            if (known.advance() == end_of_block) break;
            i += known.advance();
            if (i > 63) return false;
            block[zigzag[static_cast<std::size_t>(i)]] = known.value();
            continue;
        }
        const auto [length, symbol] = ac.symbols.symbols().find(at.peek(longest_code));
        const unsigned bits = symbol & 0xfU;
        if (length > longest_code || bits > most_ac_bits) return false;
        at.skip(length);
        if (symbol == no_more) break;
        i += (symbol >> 4) + 1;
        if (i > 63 || (bits == 0 && symbol != sixteen_zeros)) return false;
        block[zigzag[static_cast<std::size_t>(i)]] = static_cast<std::int16_t>(at.take_number(bits));
    }
    return at.is_inside();
}

bool TileScan::read_coefficients(View file) {
    std::size_t length = 0;
    const std::vector<std::uint8_t> bits = unstuffed(file.subspan(head_), length);
    Cursor at(bits);
    const int mcus_across = planes_[0].across / planes_[0].blocks;
    const int mcus = mcus_across * (static_cast<int>(height_) * mcus_across / static_cast<int>(width_));
    for (Plane& plane : planes_) {
        const auto blocks = static_cast<std::size_t>(mcus * plane.blocks * plane.blocks);
        plane.coefficients.resize(64 * blocks);
    }
    std::array<int, 3> levels{};
    places_.reserve(static_cast<std::size_t>(mcus) + 1);
    for (int mcu = 0; mcu < mcus; ++mcu) {
        places_.push_back(at.place());
        for (std::size_t i = 0; i < planes_.size(); ++i) {
            Plane& plane = planes_[i];
            for (int part = 0; part < plane.blocks * plane.blocks; ++part) {
                const int column = mcu % mcus_across * plane.blocks + part % plane.blocks;
                const int row = mcu / mcus_across * plane.blocks + part / plane.blocks;
                std::int16_t* block = plane.coefficients.data() + 64 * (std::ptrdiff_t{row} * plane.across + column);
                if (!read_block(*dc_[plane.dc], *ac_[plane.ac], at, levels[i], block)) return false;
            }
        }
    }
    places_.push_back(at.place());
    return true;
}

bool TileScan::write(std::size_t plane, const std::int16_t* block, int before,
                     BitAppender<BitOrder::first_is_highest>& out) const {
    const auto put = [&](const Code& code, unsigned symbol, int value, unsigned bits) {
        if (code.length[symbol] == 0) return false;
        out.put(std::uint64_t{code.bits[symbol]} << bits | as_bits(value, bits), code.length[symbol] + bits);
        return true;
    };
    const int step = block[0] - before;
    const unsigned step_bits = bits_of(step);
    if (step_bits > most_dc_bits || !put(*dc_[planes_[plane].dc], step_bits, step, step_bits)) return false;
    const Code& ac = *ac_[planes_[plane].ac];
    unsigned zeros = 0;
    for (std::size_t i = 1; i < 64; ++i) {
        const int value = block[zigzag[i]];
        if (value == 0) {
            ++zeros;
            continue;
        }
        for (; zeros > 15; zeros -= 16) {
            if (!put(ac, sixteen_zeros, 0, 0)) return false;
        }
        const unsigned bits = bits_of(value);
        if (bits > most_ac_bits || !put(ac, zeros << 4 | bits, value, bits)) return false;
        zeros = 0;
    }
    return zeros == 0 || put(ac, no_more, 0, 0);
}

}  // namespace tessera::imaging
