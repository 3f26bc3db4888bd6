#include "codecs/jpeg/reduced/sequential.hpp"

namespace tessera::codecs {
namespace {

constexpr int steps_at_once = 4;

// Goes past the rest of a block, from zigzag index k on.
TESSERA_INLINE void pass_over(BitReader& bits, const CoefficientCode& code, int k) {
    static_assert(steps_at_once * CoefficientCode::leap_bits <= 56);
    while (k < 64) {
        bits.refill();
        for (int i = 0; i < steps_at_once && k < 64; ++i) {
            const LeapEntry leap = code.leap(bits);
            if (k + leap.before() > 63) [[unlikely]] {
                k += code.step(bits).advance;
                break;
            }
            bits.skip(leap.bits());
            k += leap.advance();
        }
    }
}

// Reads coefficients up to the last one that is needed, or a bit further, and says where it got to. The first few are
// among the bits at hand.
TESSERA_INLINE int take_needed(BitReader& bits, const CoefficientCode& code, const ReducedComponent& component,
                               std::int16_t* block) {
    int k = 1;
    while (k <= component.last_needed()) {
        for (int i = 0; i < steps_at_once && k <= component.last_needed(); ++i) {
            const CoefficientEntry entry = code.entry(bits);
            if (!entry.is_known()) [[unlikely]] {
                const CoefficientStep step = code.step(bits);
                k += step.advance;
                block[component.offset(k - 1)] = static_cast<std::int16_t>(step.value);
                break;
            }
            bits.skip(entry.bits());
            k += entry.advance();
            block[component.offset(k - 1)] = entry.value();
        }
        bits.refill();
    }
    return k;
}

TESSERA_INLINE void decode_block(BitReader& bits, const CoefficientCode& dc_table, const CoefficientCode& ac_table,
                                 ScanComponent& scan, std::int16_t* block) {
    static_assert((1 + steps_at_once) * CoefficientCode::value_bits <= 56);
    bits.refill();
    CoefficientEntry first = dc_table.entry(bits);
    if (first.is_known()) [[likely]] {
        bits.skip(first.bits());
        scan.prediction = static_cast<std::int16_t>(scan.prediction + first.value());
    } else {
        scan.prediction = static_cast<std::int16_t>(scan.prediction + dc_table.step(bits).value);
        bits.refill();
    }
    block[0] = static_cast<std::int16_t>(scan.prediction);
    pass_over(bits, ac_table, take_needed(bits, ac_table, *scan.component, block));
}

}  // namespace

bool SequentialScan::can(const JpegTables& tables, const JpegScan& scan) {
    for (const JpegScan::Component& component : scan.components) {
        if (!tables.dc_tables[component.dc_table] || !tables.ac_tables[component.ac_table]) return false;
    }
    return true;
}

SequentialScan::SequentialScan(JpegInput& input, const JpegHead& head, const JpegTables& tables, const JpegScan& scan,
                               std::span<ReducedComponent> components)
    : rows_(input, head, tables.restart_interval, scan, components) {
    for (const JpegScan::Component& component : scan.components) {
        auto& dc_table = dc_tables_[component.dc_table];
        if (!dc_table) dc_table.emplace(*tables.dc_tables[component.dc_table]);
        auto& ac_table = ac_tables_[component.ac_table];
        if (ac_table) continue;
        ac_table.emplace(*tables.ac_tables[component.ac_table]);
        ac_table->prepare_leaps();
    }
}

TESSERA_VECTORISED bool SequentialScan::decode_row(int held_row) {
    return rows_.decode_row(
        held_row, [this](BitReader & bits, ScanComponent & component,
                         std::int16_t * block) __attribute__((always_inline)) {
            decode_block(bits, *dc_tables_[component.dc_table], *ac_tables_[component.ac_table], component, block);
        });
}

}  // namespace tessera::codecs
