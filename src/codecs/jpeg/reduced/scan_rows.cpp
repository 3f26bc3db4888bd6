#include "codecs/jpeg/reduced/scan_rows.hpp"

#include <limits>

#include "codecs/jpeg/markers.hpp"

namespace tessera::codecs {

ScanRows::ScanRows(JpegInput& input, const JpegHead& head, int restart_interval, const JpegScan& scan,
                   std::span<ReducedComponent> components)
    : input_(&input),
      data_(input),
      bits_(data_),
      rows_(head.mcus_down),
      mcus_across_(head.mcus_across),
      restart_interval_(restart_interval),
      before_restart_(restart_interval > 0 ? restart_interval : std::numeric_limits<int>::max()) {
    for (const JpegScan::Component& each : scan.components) {
        const JpegComponent& component = head.components[each.component];
        components_.push_back(
            {&components[each.component], each.dc_table, each.ac_table, component.horizontal, component.vertical, 0});
    }
    if (components_.size() > 1) return;
    const JpegComponent& alone = head.components[scan.components.front().component];
    components_.front().mcu_across = components_.front().mcu_down = 1;
    rows_ = alone.blocks_down;
    mcus_across_ = alone.blocks_across;
}

bool ScanRows::restart() {
    if (bits_.is_overrun()) return false;
    bits_.restart();
    // What is left before the marker is of no use to anyone, so that `next_marker` may pass over it.
    const auto marker = input_->next_marker();
    if (!marker || *marker != jpeg_rst0 + next_restart_) return false;
    next_restart_ = (next_restart_ + 1) % 8;
    before_restart_ = restart_interval_;
    for (ScanComponent& component : components_) component.prediction = 0;
    return true;
}

}  // namespace tessera::codecs
