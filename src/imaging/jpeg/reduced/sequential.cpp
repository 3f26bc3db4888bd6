#include "imaging/jpeg/reduced/sequential.hpp"

namespace tessera::imaging {
namespace {

constexpr int steps_at_once = 4;

// Goes past the rest of a block, from this place on.
TESSERA_INLINE void pass_over(BitReader& bits, const CoefficientCode& code, int place) {
    static_assert(steps_at_once * CoefficientCode::leap_bits <= 56);
    while (place < 64) {
        bits.refill();
        for (int i = 0; i < steps_at_once && place < 64; ++i) {
            const LeapEntry leap = code.leap(bits);
            if (place + leap.before() > 63) [[unlikely]] {
                place += code.step(bits).advance;
                break;
            }
            bits.skip(leap.bits());
            place += leap.advance();
        }
    }
}

// Reads coefficients up to the last one that is needed, or a bit further, and says where it got to. The first few are
// among the bits at hand.
TESSERA_INLINE int take_needed(BitReader& bits, const CoefficientCode& code, const ReducedPart& part,
                               std::int16_t* block) {
    int place = 1;
    while (place <= part.last_needed()) {
        for (int i = 0; i < steps_at_once && place <= part.last_needed(); ++i) {
            const CoefficientEntry entry = code.entry(bits);
            if (!entry.is_known()) [[unlikely]] {
                const CoefficientStep step = code.step(bits);
                place += step.advance;
                block[part.offset(place - 1)] = static_cast<std::int16_t>(step.value);
                break;
            }
            bits.skip(entry.bits());
            place += entry.advance();
            block[part.offset(place - 1)] = entry.value();
        }
        bits.refill();
    }
    return place;
}

TESSERA_INLINE void decode_block(BitReader& bits, const CoefficientCode& dc_code, const CoefficientCode& ac_code,
                                 ScanPart& scan, std::int16_t* block) {
    static_assert((1 + steps_at_once) * CoefficientCode::value_bits <= 56);
    bits.refill();
    CoefficientEntry first = dc_code.entry(bits);
    if (first.is_known()) [[likely]] {
        bits.skip(first.bits());
        scan.prediction = static_cast<std::int16_t>(scan.prediction + first.value());
    } else {
        scan.prediction = static_cast<std::int16_t>(scan.prediction + dc_code.step(bits).value);
        bits.refill();
    }
    block[0] = static_cast<std::int16_t>(scan.prediction);
    pass_over(bits, ac_code, take_needed(bits, ac_code, *scan.part, block));
}

}  // namespace

bool SequentialScan::can(const JpegTables& tables, const JpegScan& scan) {
    for (const JpegScan::Part& part : scan.parts) {
        if (!tables.dc_codes[part.dc_code] || !tables.ac_codes[part.ac_code]) return false;
    }
    return true;
}

SequentialScan::SequentialScan(JpegInput& input, const JpegHead& head, const JpegTables& tables, const JpegScan& scan,
                               std::span<ReducedPart> parts)
    : rows_(input, head, tables.restart_interval, scan, parts) {
    for (const JpegScan::Part& part : scan.parts) {
        auto& dc_code = dc_codes_[part.dc_code];
        if (!dc_code) dc_code.emplace(*tables.dc_codes[part.dc_code]);
        auto& ac_code = ac_codes_[part.ac_code];
        if (ac_code) continue;
        ac_code.emplace(*tables.ac_codes[part.ac_code]);
        ac_code->prepare_leaps();
    }
}

TESSERA_VECTORISED bool SequentialScan::decode_row(int held_row) {
    return rows_.decode_row(
        held_row, [this](BitReader & bits, ScanPart & part, std::int16_t * block) __attribute__((always_inline)) {
            decode_block(bits, *dc_codes_[part.dc_code], *ac_codes_[part.ac_code], part, block);
        });
}

}  // namespace tessera::imaging
