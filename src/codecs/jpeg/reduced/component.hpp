// A component of a JPEG picture that is decoded smaller than it is: of each block of 8 by 8 only the coefficients that
// blocks of 1, 2, 4 or 8 need across and down are kept.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "codecs/jpeg/head.hpp"

namespace tessera::codecs {

struct BlockSize {
    int across = 8;
    int down = 8;
    [[nodiscard]] int count() const { return across * down; }
};

// The size that blocks of a component get, so that all components have one size in the end. Nothing where they can't.
std::optional<BlockSize> reduced_block(const JpegHead& head, const JpegComponent& component, int shrink);

class ReducedComponent {
  public:
    // `mcu_rows` is for how many rows of MCUs there is room; the whole picture, or one that is used over
    // and over.
    ReducedComponent(const JpegHead& head, const JpegComponent& component, BlockSize size, int mcu_rows);
    // What that takes.
    static std::int64_t bytes(const JpegHead& head, const JpegComponent& component, BlockSize size, int mcu_rows);

    // Coefficients of a row of blocks: those of one frequency of all blocks, then those of the next, each `stride`
    // apart.
    [[nodiscard]] std::int16_t* row(int block_row) {
        return coefficients_.data() + static_cast<std::size_t>(block_row) * row_size();
    }
    [[nodiscard]] std::size_t stride() const { return stride_; }
    // How far from the start of a row a coefficient is. By its zigzag index, and as far as steps go
    // past the end of a block: what is not needed goes where nobody looks.
    [[nodiscard]] std::ptrdiff_t offset(int k) const { return offsets_[static_cast<std::size_t>(k)]; }
    // The last zigzag index that is needed, and all of them.
    [[nodiscard]] int last_needed() const { return last_needed_; }
    [[nodiscard]] std::uint64_t needed() const { return needed_; }
    void clear() { coefficients_.assign(coefficients_.size(), 0); }

    [[nodiscard]] BlockSize size() const { return size_; }
    [[nodiscard]] int blocks_across() const { return blocks_across_; }  // with the padding of MCUs
    void set_quantisation_table(const QuantisationTable& quantisation_table);
    [[nodiscard]] bool has_quantisation_table() const { return has_quantisation_table_; }
    [[nodiscard]] double step(int k) const { return steps_[static_cast<std::size_t>(k)]; }
    // By the order in which coefficients are in `row`, for samples from -128 to 127.
    [[nodiscard]] std::span<const float> scales() const { return std::span(scales_).first(std::size_t(size_.count())); }

  private:
    static constexpr std::size_t indexes_with_overshoot = 64 + end_of_block + 16;
    [[nodiscard]] std::size_t row_size() const { return stride_ * (static_cast<std::size_t>(size_.count()) + 1); }

    BlockSize size_;
    int blocks_across_;
    std::size_t stride_;
    std::array<std::int32_t, indexes_with_overshoot> offsets_{};
    int last_needed_ = 0;
    std::uint64_t needed_ = 0;
    std::vector<std::int16_t> coefficients_;
    std::array<float, 64> scales_{};
    std::array<double, 64> steps_{};
    bool has_quantisation_table_ = false;
};

}  // namespace tessera::codecs
