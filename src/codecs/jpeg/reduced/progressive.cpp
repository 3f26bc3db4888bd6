#include "codecs/jpeg/reduced/progressive.hpp"

#include <cmath>

#include "codecs/jpeg/reduced/ac_scan.hpp"

namespace tessera::codecs {
namespace {

constexpr std::uint8_t nothing_known = 16;

// How wrong the samples of a block may be at most, as the root of their mean square: rounding does as much. Against the
// whole file, made smaller by Lanczos' filter, this changes nothing.
constexpr double unseen = 1.0 / 3;

std::size_t blocks_of(const JpegComponent& component) {
    return static_cast<std::size_t>(component.blocks_across) * static_cast<std::size_t>(component.blocks_down);
}

}  // namespace

ProgressiveScans::ProgressiveScans(const JpegHead& head, std::span<ReducedComponent> components)
    : head_(&head), components_(components), progress_(components.size()) {
    for (Progress& each : progress_) each.shifts.fill(nothing_known);
}

std::int64_t ProgressiveScans::bytes(const JpegHead& head) {
    std::size_t blocks = 0;
    for (const JpegComponent& component : head.components) blocks += blocks_of(component);
    return static_cast<std::int64_t>(blocks * sizeof(std::uint64_t));
}

ScanEnd ProgressiveScans::read(JpegInput& input, const JpegTables& tables, const JpegScan& scan) {
    if (scan.first > 0) return read_ac(input, tables, scan);
    return scan.refines() ? read_more_of_dc(input, tables, scan) : read_first_of_dc(input, tables, scan);
}

ScanEnd ProgressiveScans::read_first_of_dc(JpegInput& input, const JpegTables& tables, const JpegScan& scan) {
    std::array<std::optional<CoefficientCode>, 4> codes;
    for (const JpegScan::Component& component : scan.components) {
        if (!tables.dc_tables[component.dc_table]) return ScanEnd::damaged;
        codes[component.dc_table].emplace(*tables.dc_tables[component.dc_table]);
    }
    ScanRows rows(input, *head_, tables.restart_interval, scan, components_);
    const int unit = 1 << scan.low_bit;
    for (int row = 0; row < rows.rows(); ++row) {
        const bool is_whole = rows.decode_row(row, [&](BitReader& bits, ScanComponent& component, std::int16_t* block) {
            component.prediction =
                static_cast<std::int16_t>(component.prediction + codes[component.dc_table]->step(bits).value);
            block[0] = static_cast<std::int16_t>(component.prediction * unit);
        });
        if (!is_whole) return ScanEnd::ends_early;
    }
    return ScanEnd::done;
}

ScanEnd ProgressiveScans::read_more_of_dc(JpegInput& input, const JpegTables& tables, const JpegScan& scan) {
    ScanRows rows(input, *head_, tables.restart_interval, scan, components_);
    for (int row = 0; row < rows.rows(); ++row) {
        const bool is_whole = rows.decode_row(row, [&](BitReader& bits, ScanComponent&, std::int16_t* block) {
            bits.refill();
            block[0] = static_cast<std::int16_t>(block[0] | bits.take(1) << scan.low_bit);
        });
        if (!is_whole) return ScanEnd::ends_early;
    }
    return ScanEnd::done;
}

// Whether the coefficients that are needed are known well enough for what is missing not to show.
bool ProgressiveScans::is_fine(std::size_t component) const {
    double error = 0;
    for (int k = 1; k <= components_[component].last_needed(); ++k) {
        if ((components_[component].needed() >> k & 1) == 0) continue;
        const int missing = (1 << progress_[component].shifts[static_cast<std::size_t>(k)]) - 1;
        error += std::pow(missing * components_[component].step(k), 2);
    }
    return std::sqrt(error) <= unseen;
}

ScanEnd ProgressiveScans::read_ac(JpegInput& input, const JpegTables& tables, const JpegScan& scan) {
    const std::size_t index = scan.components.front().component;
    Progress& progress = progress_[index];
    if (is_fine(index)) return ScanEnd::done;
    const auto& symbols = tables.ac_tables[scan.components.front().ac_table];
    if (!symbols) return ScanEnd::damaged;
    for (int k = scan.first; k <= scan.last; ++k) {
        progress.shifts[static_cast<std::size_t>(k)] = static_cast<std::uint8_t>(scan.low_bit);
    }
    ScanRows rows(input, *head_, tables.restart_interval, scan, components_);
    const bool is_last = !scan.refines() && is_fine(index);
    if (!is_last) progress.nonzero.resize(blocks_of(head_->components[index]));
    AcScan ac(rows, scan, progress.nonzero);
    if (scan.refines()) return ac.refine(*symbols) ? ScanEnd::done : ScanEnd::ends_early;
    CoefficientCode code(*symbols);
    if (is_last) {
        code.prepare_leaps();
        return ac.read_needed(code) ? ScanEnd::done : ScanEnd::ends_early;
    }
    code.prepare_marked_leaps();
    return ac.read_noting(code) ? ScanEnd::done : ScanEnd::ends_early;
}

}  // namespace tessera::codecs
