// Inside imaging only: the order in which a scan has blocks, with the restarts between them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "imaging/jpeg/reduced/bits.hpp"
#include "imaging/jpeg/reduced/head.hpp"
#include "imaging/jpeg/reduced/part.hpp"

namespace tessera::imaging {

// Of a part within a scan.
struct ScanPart {
    ReducedPart* part = nullptr;
    std::size_t dc_code = 0;
    std::size_t ac_code = 0;
    int unit_across = 1;  // blocks of it in a unit of the scan
    int unit_down = 1;
    int prediction = 0;  // the last block's first coefficient
};

class ScanRows {
  public:
    ScanRows(JpegInput& input, const JpegHead& head, int restart_interval, const JpegScan& scan,
             std::span<ReducedPart> parts);
    ScanRows(const ScanRows&) = delete;
    ScanRows& operator=(const ScanRows&) = delete;

    // A scan of one component has its blocks as rows of units, others the picture's units.
    [[nodiscard]] int rows() const { return rows_; }
    [[nodiscard]] int units_across() const { return units_across_; }
    [[nodiscard]] std::span<ScanPart> parts() { return parts_; }
    BitReader& bits() { return bits_; }
    // Units before the next restart, many where there is none; at none, `restart` must be called.
    [[nodiscard]] int before_restart() const { return before_restart_; }
    void count_units(int units) { before_restart_ -= units; }
    // False where there is no such restart.
    bool restart();
    // False where the data of this scan ended before.
    [[nodiscard]] bool is_sound() const { return !bits_.is_overrun(); }

    // Calls decode(bits, part, block) for each block of the next row of units, which goes to this row of those held.
    // False where it can't be had.
    template <class Decode>
    TESSERA_INLINE bool decode_row(int row, Decode decode) {
        BitReader bits = bits_;
        for (int unit = 0; unit < units_across_; ++unit) {
            if (before_restart_ == 0) [[unlikely]] {
                bits_ = bits;
                if (!restart()) return false;
                bits = bits_;
            }
            --before_restart_;
            for (ScanPart& part : parts_) {
                for (int y = 0; y < part.unit_down; ++y) {
                    std::int16_t* blocks =
                        part.part->row(row * part.unit_down + y) + std::ptrdiff_t{unit} * part.unit_across;
                    for (int x = 0; x < part.unit_across; ++x) decode(bits, part, blocks + x);
                }
            }
        }
        bits_ = bits;
        return is_sound();
    }

  private:
    JpegInput* input_;
    CodedData data_;
    BitReader bits_;
    std::vector<ScanPart> parts_;
    int rows_;
    int units_across_;
    int restart_interval_;
    int before_restart_;
    int next_restart_ = 0;
};

}  // namespace tessera::imaging
