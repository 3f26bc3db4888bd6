#include "imaging/jpeg/reduced/sequential.hpp"

namespace tessera::imaging {
namespace {

// Goes past the rest of a block, from this place on.
TESSERA_INLINE void pass_over(BitReader& bits, const CoefficientCode& code, int place) {
    constexpr int leaps_at_once = 56 / CoefficientCode::leap_bits;
    while (place < 64) {
        bits.refill();
        for (int i = 0; i < leaps_at_once && place < 64; ++i) {
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

TESSERA_INLINE void decode_block(BitReader& bits, const CoefficientCode& dc_code, const CoefficientCode& ac_code,
                                 ScanPart& scan, std::int16_t* block) {
    const ReducedPart& part = *scan.part;
    scan.prediction = static_cast<std::int16_t>(scan.prediction + dc_code.step(bits).value);
    block[0] = static_cast<std::int16_t>(scan.prediction);
    int place = 1;
    while (place <= part.last_needed()) {
        const CoefficientStep step = ac_code.step(bits);
        place += step.advance;
        block[part.offset(place - 1)] = static_cast<std::int16_t>(step.value);
    }
    pass_over(bits, ac_code, place);
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
