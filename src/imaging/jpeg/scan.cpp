#include "imaging/jpeg/scan.hpp"

#include <algorithm>

namespace tessera::imaging {
namespace {

using View = std::span<const std::uint8_t>;

constexpr std::array<std::uint8_t, 64> zigzag = {0,  1,  8,  16, 9,  2,  3,  10, 17, 24, 32, 25, 18, 11, 4,  5,
                                                 12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6,  7,  14, 21, 28,
                                                 35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51,
                                                 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63};

constexpr unsigned peek = jpeg_code_peek;
constexpr unsigned end_of_block = 0x00;
constexpr unsigned sixteen_zeros = 0xf0;

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

std::optional<JpegScan> JpegScan::read(std::span<const std::uint8_t> file) {
    JpegScan scan;
    if (!scan.read_markers(file) || !scan.find_places(file)) return std::nullopt;
    return scan;
}

bool JpegScan::read_markers(View file) {
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
        // Tables of steps, names and comments say nothing about the bits.
        const bool fine = marker == 0xc0   ? read_frame(body)
                          : marker == 0xc4 ? read_codes(body)
                                           : marker == 0xdb || marker == 0xfe || (marker & 0xf0) == 0xe0;
        if (!fine) return false;
    }
    return false;
}

bool JpegScan::read_frame(View body) {
    if (body.size() < 6 || body[0] != 8 || !planes_.empty()) return false;
    const unsigned height = be16(&body[1]);
    const unsigned width = be16(&body[3]);
    const std::size_t count = body[5];
    if ((count != 1 && count != 3) || body.size() != 6 + 3 * count) return false;
    unsigned side = 8;  // of an MCU
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint8_t factors = body[6 + 3 * i + 1];
        const bool doubled = i == 0 && count == 3 && factors == 0x22;
        if (factors != 0x11 && !doubled) return false;
        if (doubled) side = 16;
        planes_.push_back({body[6 + 3 * i], doubled ? 4 : 1, 0, 0});
    }
    if (width == 0 || width % side != 0 || height == 0 || height % side != 0) return false;
    mcus_ = std::size_t{width / side} * (height / side);
    return true;
}

bool JpegScan::read_codes(View body) {
    while (!body.empty()) {
        if (body.size() < 17 || (body[0] & 0xf) > 3 || body[0] >> 4 > 1) return false;
        auto& table = (body[0] >> 4 == 0 ? dc_ : ac_)[body[0] & 0xf];
        table.emplace();
        std::size_t symbol = 17;
        unsigned code = 0;
        for (unsigned length = 1; length <= 16; ++length, code <<= 1) {
            table->first[length] = static_cast<std::uint32_t>(symbol - 17) - code;
            for (unsigned i = 0; i < body[length]; ++i, ++code, ++symbol) {
                if (symbol >= body.size() || code >> length != 0) return false;
                table->bits[body[symbol]] = static_cast<std::uint16_t>(code);
                table->length[body[symbol]] = static_cast<std::uint8_t>(length);
                if (length > peek) continue;
                const unsigned first = code << (peek - length);
                std::fill_n(table->quick.begin() + first, std::size_t{1} << (peek - length),
                            static_cast<std::uint16_t>(length << 8 | body[symbol]));
            }
            table->end[length] = code;
        }
        table->symbols.assign(body.begin() + 17, body.begin() + static_cast<std::ptrdiff_t>(symbol));
        body = body.subspan(symbol);
    }
    return true;
}

bool JpegScan::read_scan_header(View body) {
    const std::size_t count = planes_.size();
    if (count == 0 || body.size() != 4 + 2 * count || body[0] != count) return false;
    for (std::size_t i = 0; i < count; ++i) {
        planes_[i].dc = body[2 + 2 * i] >> 4;
        planes_[i].ac = body[2 + 2 * i] & 0xf;
        if (body[1 + 2 * i] != planes_[i].id || planes_[i].dc > 3 || planes_[i].ac > 3) return false;
        if (!dc_[planes_[i].dc] || !ac_[planes_[i].ac]) return false;
    }
    return body[1 + 2 * count] == 0 && body[2 + 2 * count] == 63 && body[3 + 2 * count] == 0;
}

int JpegScan::next(const JpegCodes& codes, Cursor& at) {
    const auto ahead = static_cast<unsigned>(bits_at<BitOrder::first_is_highest>(at.bytes, at.place, 16));
    if (const std::uint16_t found = codes.quick[ahead >> (16 - peek)]) {
        at.place += found >> 8;
        return found & 0xff;
    }
    for (unsigned length = peek + 1; length <= 16; ++length) {
        const unsigned code = ahead >> (16 - length);
        if (code >= codes.end[length]) continue;
        const std::size_t symbol = codes.first[length] + code;
        if (symbol >= codes.symbols.size()) return -1;
        at.place += length;
        return codes.symbols[symbol];
    }
    return -1;
}

bool JpegScan::skip_block(const JpegCodes& dc, const JpegCodes& ac, Cursor& at) {
    const int first = next(dc, at);
    if (first < 0 || first > 11) return false;
    at.place += static_cast<unsigned>(first);
    for (unsigned i = 1; i < 64; ++i) {
        if (at.place > at.end) return false;
        const int found = next(ac, at);
        if (found < 0) return false;
        const auto symbol = static_cast<unsigned>(found);
        if (symbol == end_of_block) break;
        i += symbol >> 4;
        at.place += symbol & 0xf;
        if (i > 63) return false;
    }
    return at.place <= at.end;
}

bool JpegScan::find_places(View file) {
    std::size_t length = 0;
    const std::vector<std::uint8_t> bits = unstuffed(file.subspan(head_), length);
    Cursor at{bits.data(), 0, 8 * (bits.size() - bit_slack)};
    places_.reserve(mcus_ + 1);
    for (std::size_t i = 0; i < mcus_; ++i) {
        places_.push_back(at.place);
        for (const Plane& plane : planes_) {
            for (int block = 0; block < plane.blocks; ++block) {
                if (!skip_block(*dc_[plane.dc], *ac_[plane.ac], at)) return false;
            }
        }
    }
    places_.push_back(at.place);
    return true;
}

bool JpegScan::write(int plane, const Block* block, int before, BitAppender<BitOrder::first_is_highest>& out) const {
    const Plane& own = planes_[static_cast<std::size_t>(plane)];
    const auto put = [&](const JpegCodes& codes, unsigned symbol, int value, unsigned bits) {
        if (codes.length[symbol] == 0) return false;
        out.put(codes.bits[symbol], codes.length[symbol]);
        out.put(as_bits(value, bits), bits);
        return true;
    };
    const int step = block[0] - before;
    if (bits_of(step) > 11 || !put(*dc_[own.dc], bits_of(step), step, bits_of(step))) return false;
    const JpegCodes& ac = *ac_[own.ac];
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
        if (bits > 10 || !put(ac, zeros << 4 | bits, value, bits)) return false;
        zeros = 0;
    }
    return zeros == 0 || put(ac, end_of_block, 0, 0);
}

}  // namespace tessera::imaging
