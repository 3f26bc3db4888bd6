// Pictures made from a formula, and sources that pour them: what tests of pyramids start from.
#pragma once

#include <functional>

#include "core/colour.hpp"
#include "core/pixels.hpp"
#include "imaging/pixels/row_source.hpp"

namespace tessera::tiles {

using Formula = std::function<Colour(std::int64_t x, std::int64_t y)>;

class FormulaSource final : public imaging::RowSource {
  public:
    FormulaSource(PixelLayout layout, std::int64_t width, std::int64_t height, Formula formula,
                  std::int64_t fails_at = -1)
        : layout_(layout), width_(width), height_(height), formula_(std::move(formula)), fails_at_(fails_at) {}

    [[nodiscard]] std::int64_t width() const override { return width_; }
    [[nodiscard]] std::int64_t height() const override { return height_; }
    [[nodiscard]] PixelLayout layout() const override { return layout_; }

    JobResult<void> pour(imaging::RowSink& sink) override {
        for (std::int64_t y = 0; y < height_;) {
            auto space = sink.space();
            if (!space) return std::move(space).error();
            const std::int64_t count = std::min<std::int64_t>(space->count, 48);
            for (std::int64_t i = 0; i < count; ++i) write_row(space->buffer->row(0, space->row + i), y + i);
            if (fails_at_ >= 0 && y >= fails_at_) return JobError{JobErrorCode::decode_failed, "broken", ""};
            if (auto taken = sink.commit(count); !taken) return taken;
            y += count;
        }
        return {};
    }

  private:
    void write_row(std::uint8_t* out, std::int64_t y) const {
        const int bytes = bytes_per_pixel(layout_);
        for (std::int64_t x = 0; x < width_; ++x, out += bytes) {
            const Colour colour = formula_(x, y);
            out[0] = colour.red;
            if (bytes >= 3) {
                out[1] = colour.green;
                out[2] = colour.blue;
            }
            if (bytes == 4) out[3] = colour.alpha;
        }
    }

    PixelLayout layout_;
    std::int64_t width_;
    std::int64_t height_;
    Formula formula_;
    std::int64_t fails_at_;
};

// Every pixel its own, with no pattern that a mistake could hide behind.
inline Colour noise(std::int64_t x, std::int64_t y) {
    auto bits = static_cast<std::uint64_t>(x * 2654435761 + y * 40503 + 12345);
    bits ^= bits >> 15;
    bits *= 0x2c1b3c6dU;
    bits ^= bits >> 12;
    return {static_cast<std::uint8_t>(bits), static_cast<std::uint8_t>(bits >> 8),
            static_cast<std::uint8_t>(bits >> 16), 255};
}

// Smooth, as photographs mostly are.
inline Colour gradient(std::int64_t x, std::int64_t y) {
    return {static_cast<std::uint8_t>(x / 4), static_cast<std::uint8_t>(y / 4), static_cast<std::uint8_t>((x + y) / 8),
            255};
}

}  // namespace tessera::tiles
