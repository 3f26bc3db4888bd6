// A progressive scan of all coefficients but the first, of one component.
#pragma once

#include <cstdint>
#include <span>

#include "codecs/jpeg/reduced/scan_rows.hpp"

namespace tessera::codecs {

class AcScan {
  public:
    // `nonzero` has a word for each block, whose bits say which coefficients are known not to be zero.
    AcScan(ScanRows& rows, const JpegScan& scan, std::span<std::uint64_t> nonzero);

    // Each reads the whole scan; false where its data ends early.
    // The first bits of coefficients:
    bool read_needed(const CoefficientCode& code);
    // The same, with note of all that are not zero.
    bool read_noting(const CoefficientCode& code);
    // One more bit of them.
    bool refine(const HuffmanSymbols& code);

  private:
    template <bool notes>
    void read_block(BitReader& bits, const CoefficientCode& code, std::int16_t* block, std::uint64_t& nonzero);
    void refine_block(BitReader& bits, const HuffmanSymbols& code, std::int16_t* block, std::uint64_t& nonzero);
    int take_symbols(BitReader& bits, const HuffmanSymbols& code, std::int16_t* block, std::uint64_t& nonzero);
    void correct(BitReader& bits, std::int16_t* block, std::uint64_t known) const;
    template <class Block>
    bool for_all_blocks(bool skips_empty, Block block);

    ScanRows* rows_;
    ReducedComponent* component_;
    std::span<std::uint64_t> nonzero_;
    int first_;
    int last_;
    int last_needed_;
    int shift_;
    std::uint64_t band_;
    int eob_run_ = 0;  // to come, which have nothing new in this scan
};

}  // namespace tessera::codecs
