// Decodes the scans of a progressive JPEG, which bring some coefficients of all blocks, or one
// more bit of them. Of what a smaller picture does not show it keeps no more than later scans need to be understood.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "codecs/jpeg/reduced/scan_rows.hpp"

namespace tessera::codecs {

enum class ScanEnd { done, ends_early, damaged };

class ProgressiveScans {
  public:
    // The components have room for the whole picture, and quantisation tables before their first scan.
    ProgressiveScans(const JpegHead& head, std::span<ReducedComponent> components);
    // What it may hold besides the components.
    static std::int64_t bytes(const JpegHead& head);

    // The data of a scan. It may be left unread, and then is to be passed over.
    ScanEnd read(JpegInput& input, const JpegTables& tables, const JpegScan& scan);

  private:
    struct Progress {
        std::array<std::uint8_t, 64> shifts;  // by zigzag index: what is still missing of coefficients
        std::vector<std::uint64_t> nonzero;   // of each block; empty while nobody asks
    };

    ScanEnd read_first_of_dc(JpegInput& input, const JpegTables& tables, const JpegScan& scan);
    ScanEnd read_more_of_dc(JpegInput& input, const JpegTables& tables, const JpegScan& scan);
    ScanEnd read_ac(JpegInput& input, const JpegTables& tables, const JpegScan& scan);
    [[nodiscard]] bool is_fine(std::size_t component) const;

    const JpegHead* head_;
    std::span<ReducedComponent> components_;
    std::vector<Progress> progress_;
};

}  // namespace tessera::codecs
