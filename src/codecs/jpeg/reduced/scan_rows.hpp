// The order in which a scan has blocks, with the restarts between them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "codecs/bits/bit_reader.hpp"
#include "codecs/jpeg/coded_data.hpp"
#include "codecs/jpeg/head.hpp"
#include "codecs/jpeg/reduced/component.hpp"

namespace tessera::codecs {

// Of a component within a scan.
struct ScanComponent {
    ReducedComponent* component = nullptr;
    std::size_t dc_table = 0;
    std::size_t ac_table = 0;
    int mcu_across = 1;  // blocks of it in an MCU of the scan
    int mcu_down = 1;
    int prediction = 0;  // the last block's DC
};

class ScanRows {
  public:
    ScanRows(JpegInput& input, const JpegHead& head, int restart_interval, const JpegScan& scan,
             std::span<ReducedComponent> components);
    ScanRows(const ScanRows&) = delete;
    ScanRows& operator=(const ScanRows&) = delete;

    // A scan of one component has its blocks for MCUs, others the picture's MCUs.
    [[nodiscard]] int rows() const { return rows_; }
    [[nodiscard]] int mcus_across() const { return mcus_across_; }
    [[nodiscard]] std::span<ScanComponent> components() { return components_; }
    BitReader& bits() { return bits_; }
    // MCUs before the next restart, many where there is none; at none, `restart` must be called.
    [[nodiscard]] int before_restart() const { return before_restart_; }
    void count_mcus(int mcus) { before_restart_ -= mcus; }
    // False where there is no such restart.
    bool restart();
    // False where the data of this scan ended before.
    [[nodiscard]] bool is_sound() const { return !bits_.is_overrun(); }

    // Calls decode(bits, component, block) for each block of the next row of MCUs, which goes to this row of those
    // held. False where it can't be had.
    template <class Decode>
    TESSERA_INLINE bool decode_row(int row, Decode decode) {
        BitReader bits = bits_;
        for (int mcu = 0; mcu < mcus_across_; ++mcu) {
            if (before_restart_ == 0) [[unlikely]] {
                bits_ = bits;
                if (!restart()) return false;
                bits = bits_;
            }
            --before_restart_;
            for (ScanComponent& component : components_) {
                for (int y = 0; y < component.mcu_down; ++y) {
                    std::int16_t* blocks = component.component->row(row * component.mcu_down + y) +
                                           std::ptrdiff_t{mcu} * component.mcu_across;
                    for (int x = 0; x < component.mcu_across; ++x) decode(bits, component, blocks + x);
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
    std::vector<ScanComponent> components_;
    int rows_;
    int mcus_across_;
    int restart_interval_;
    int before_restart_;
    int next_restart_ = 0;
};

}  // namespace tessera::codecs
