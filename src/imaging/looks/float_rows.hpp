// Inside imaging/looks only.
#pragma once

#include <cstddef>
#include <vector>

namespace tessera::imaging::looks {

// Rows of floats, zero at first.
class FloatRows {
  public:
    FloatRows(std::size_t rows, std::size_t width) : stride_(width), values_(rows * stride_) {}
    [[nodiscard]] float* row(std::size_t index) { return values_.data() + index * stride_; }
    [[nodiscard]] const float* row(std::size_t index) const { return values_.data() + index * stride_; }

  private:
    std::size_t stride_;
    std::vector<float> values_;
};

}  // namespace tessera::imaging::looks
