// Decodes a scan that has whole coefficients, those of a block together, as most files have.
#pragma once

#include <array>
#include <optional>
#include <span>

#include "codecs/jpeg/reduced/scan_rows.hpp"

namespace tessera::codecs {

class SequentialScan {
  public:
    // Whether the codes it needs are there.
    static bool can(const JpegTables& tables, const JpegScan& scan);
    SequentialScan(JpegInput& input, const JpegHead& head, const JpegTables& tables, const JpegScan& scan,
                   std::span<ReducedComponent> components);

    [[nodiscard]] int rows() const { return rows_.rows(); }
    // The next row of MCUs, to this row of those that the components hold, which is all zeros. False where the data
    // ends.
    bool decode_row(int held_row);
    // Bits of its data that are not used yet.
    [[nodiscard]] std::ptrdiff_t unread_bits() { return rows_.bits().unread_bits(); }

  private:
    ScanRows rows_;
    std::array<std::optional<CoefficientCode>, 4> dc_tables_;
    std::array<std::optional<CoefficientCode>, 4> ac_tables_;
};

}  // namespace tessera::codecs
