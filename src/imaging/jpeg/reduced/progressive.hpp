// Inside imaging only: decodes the scans of a progressive JPEG, which bring some coefficients of all blocks, or one
// more bit of them. Of what a smaller picture does not show it keeps no more than later scans need to be understood.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "imaging/jpeg/reduced/scan_rows.hpp"

namespace tessera::imaging {

enum class ScanEnd { done, ends_early, damaged };

class ProgressiveScans {
  public:
    // The parts have room for the whole picture, and quantisers before their first scan.
    ProgressiveScans(const JpegHead& head, std::span<ReducedPart> parts);
    // What it may hold besides the parts.
    static std::int64_t bytes(const JpegHead& head);

    // The data of a scan. It may be left unread, and then is to be passed over.
    ScanEnd read(JpegInput& input, const JpegTables& tables, const JpegScan& scan);

  private:
    struct Progress {
        std::array<std::uint8_t, 64> shifts;  // by place: what is still missing of coefficients
        std::vector<std::uint64_t> nonzero;   // of each block; empty while nobody asks
    };

    ScanEnd read_first_of_dc(JpegInput& input, const JpegTables& tables, const JpegScan& scan);
    ScanEnd read_more_of_dc(JpegInput& input, const JpegTables& tables, const JpegScan& scan);
    ScanEnd read_ac(JpegInput& input, const JpegTables& tables, const JpegScan& scan);
    [[nodiscard]] bool is_fine(std::size_t part) const;

    const JpegHead* head_;
    std::span<ReducedPart> parts_;
    std::vector<Progress> progress_;
};

}  // namespace tessera::imaging
