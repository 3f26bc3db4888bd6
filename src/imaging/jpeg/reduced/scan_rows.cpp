#include "imaging/jpeg/reduced/scan_rows.hpp"

#include <limits>

namespace tessera::imaging {

ScanRows::ScanRows(JpegInput& input, const JpegHead& head, int restart_interval, const JpegScan& scan,
                   std::span<ReducedPart> parts)
    : input_(&input),
      data_(input),
      bits_(data_),
      rows_(head.units_down),
      units_across_(head.units_across),
      restart_interval_(restart_interval),
      before_restart_(restart_interval > 0 ? restart_interval : std::numeric_limits<int>::max()) {
    for (const JpegScan::Part& each : scan.parts) {
        const JpegPart& part = head.parts[each.part];
        parts_.push_back({&parts[each.part], each.dc_code, each.ac_code, part.across_factor, part.down_factor, 0});
    }
    if (parts_.size() > 1) return;
    const JpegPart& alone = head.parts[scan.parts.front().part];
    parts_.front().unit_across = parts_.front().unit_down = 1;
    rows_ = alone.blocks_down;
    units_across_ = alone.blocks_across;
}

bool ScanRows::restart() {
    if (bits_.is_overrun()) return false;
    bits_.restart();
    // What is left before the marker is of no use to anyone, so that `next_marker` may pass over it.
    const auto marker = input_->next_marker();
    if (!marker || *marker != 0xD0 + next_restart_) return false;
    next_restart_ = (next_restart_ + 1) % 8;
    before_restart_ = restart_interval_;
    for (ScanPart& part : parts_) part.prediction = 0;
    return true;
}

}  // namespace tessera::imaging
