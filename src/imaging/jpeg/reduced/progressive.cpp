#include "imaging/jpeg/reduced/progressive.hpp"

#include <cmath>

#include "imaging/jpeg/reduced/ac_scan.hpp"

namespace tessera::imaging {
namespace {

constexpr std::uint8_t nothing_known = 16;

// How wrong the samples of a block may be at most, as the root of their mean square: rounding does as much. Against the
// whole file, made smaller by Lanczos' filter, this changes nothing.
constexpr double unseen = 1.0 / 3;

std::size_t blocks_of(const JpegPart& part) {
    return static_cast<std::size_t>(part.blocks_across) * static_cast<std::size_t>(part.blocks_down);
}

}  // namespace

ProgressiveScans::ProgressiveScans(const JpegHead& head, std::span<ReducedPart> parts)
    : head_(&head), parts_(parts), progress_(parts.size()) {
    for (Progress& each : progress_) each.shifts.fill(nothing_known);
}

std::int64_t ProgressiveScans::bytes(const JpegHead& head) {
    std::size_t blocks = 0;
    for (const JpegPart& part : head.parts) blocks += blocks_of(part);
    return static_cast<std::int64_t>(blocks * sizeof(std::uint64_t));
}

ScanEnd ProgressiveScans::read(JpegInput& input, const JpegTables& tables, const JpegScan& scan) {
    if (scan.first > 0) return read_ac(input, tables, scan);
    return scan.refines() ? read_more_of_dc(input, tables, scan) : read_first_of_dc(input, tables, scan);
}

ScanEnd ProgressiveScans::read_first_of_dc(JpegInput& input, const JpegTables& tables, const JpegScan& scan) {
    std::array<std::optional<CoefficientCode>, 4> codes;
    for (const JpegScan::Part& part : scan.parts) {
        if (!tables.dc_codes[part.dc_code]) return ScanEnd::damaged;
        codes[part.dc_code].emplace(*tables.dc_codes[part.dc_code]);
    }
    ScanRows rows(input, *head_, tables.restart_interval, scan, parts_);
    const int unit = 1 << scan.shift;
    for (int row = 0; row < rows.rows(); ++row) {
        const bool is_whole = rows.decode_row(row, [&](BitReader& bits, ScanPart& part, std::int16_t* block) {
            part.prediction = static_cast<std::int16_t>(part.prediction + codes[part.dc_code]->step(bits).value);
            block[0] = static_cast<std::int16_t>(part.prediction * unit);
        });
        if (!is_whole) return ScanEnd::ends_early;
    }
    return ScanEnd::done;
}

ScanEnd ProgressiveScans::read_more_of_dc(JpegInput& input, const JpegTables& tables, const JpegScan& scan) {
    ScanRows rows(input, *head_, tables.restart_interval, scan, parts_);
    for (int row = 0; row < rows.rows(); ++row) {
        const bool is_whole = rows.decode_row(row, [&](BitReader& bits, ScanPart&, std::int16_t* block) {
            bits.refill();
            block[0] = static_cast<std::int16_t>(block[0] | bits.take(1) << scan.shift);
        });
        if (!is_whole) return ScanEnd::ends_early;
    }
    return ScanEnd::done;
}

// Whether the coefficients that are needed are known well enough for what is missing not to show.
bool ProgressiveScans::is_fine(std::size_t part) const {
    double error = 0;
    for (int place = 1; place <= parts_[part].last_needed(); ++place) {
        if ((parts_[part].needed() >> place & 1) == 0) continue;
        const int missing = (1 << progress_[part].shifts[static_cast<std::size_t>(place)]) - 1;
        error += std::pow(missing * parts_[part].step(place), 2);
    }
    return std::sqrt(error) <= unseen;
}

ScanEnd ProgressiveScans::read_ac(JpegInput& input, const JpegTables& tables, const JpegScan& scan) {
    const std::size_t index = scan.parts.front().part;
    Progress& progress = progress_[index];
    if (is_fine(index)) return ScanEnd::done;
    const auto& symbols = tables.ac_codes[scan.parts.front().ac_code];
    if (!symbols) return ScanEnd::damaged;
    for (int place = scan.first; place <= scan.last; ++place) {
        progress.shifts[static_cast<std::size_t>(place)] = static_cast<std::uint8_t>(scan.shift);
    }
    ScanRows rows(input, *head_, tables.restart_interval, scan, parts_);
    const bool is_last = !scan.refines() && is_fine(index);
    if (!is_last) progress.nonzero.resize(blocks_of(head_->parts[index]));
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

}  // namespace tessera::imaging
