#include "codecs/jpeg/blocks.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "codecs/jpeg/coefficients.hpp"

namespace tessera::codecs {
namespace {

constexpr std::size_t side = BlockPlanes::block_side;
using Square = std::array<float, side * side>;

// The cosine transform of eight samples as a matrix: its transpose is its inverse.
const Square& cosines() {
    static const Square matrix = [] {
        Square made{};
        for (std::size_t u = 0; u < side; ++u) {
            for (std::size_t x = 0; x < side; ++x) {
                const double angle =
                    (2.0 * static_cast<double>(x) + 1) * static_cast<double>(u) * std::numbers::pi / 16;
                made[u * side + x] = static_cast<float>((u == 0 ? std::sqrt(0.125) : 0.5) * std::cos(angle));
            }
        }
        return made;
    }();
    return matrix;
}

Square multiply(const Square& a, const Square& b) {
    Square out{};
    for (std::size_t i = 0; i < side; ++i) {
        for (std::size_t k = 0; k < side; ++k) {
            for (std::size_t j = 0; j < side; ++j) out[i * side + j] += a[i * side + k] * b[k * side + j];
        }
    }
    return out;
}

Square transposed(const Square& a) {
    Square out;
    for (std::size_t i = 0; i < side * side; ++i) out[i % side * side + i / side] = a[i];
    return out;
}

}  // namespace

// By our own reader, which also learns where MCUs lie, or else by libjpeg. Says what is wrong, if anything is.
std::optional<std::string> JpegBlocks::read(int tile_size) {
    scan_ = TileScan::read(file_, tile_size);
    if (scan_) {
        now_ = std::move(scan_->blocks());
        for (std::size_t plane = 0; plane < static_cast<std::size_t>(now_.planes()); ++plane) {
            quantisation_[plane] = scan_->quantisation(plane);
        }
        return std::nullopt;
    }
    JpegCoefficients file;
    if (!file.read(file_, tile_size)) return file.why();
    now_ = BlockPlanes(file.layout(), tile_size);
    for (int plane = 0; plane < now_.planes(); ++plane) {
        std::ranges::copy(file.quantisation(plane), quantisation_[static_cast<std::size_t>(plane)].begin());
        now_.each_block_in(plane, [&](int column, int row) {
            std::copy_n(file.block(plane, column, row), BlockPlanes::block_size, now_.block(plane, column, row));
        });
    }
    return std::nullopt;
}

Result<JpegBlocks> JpegBlocks::open(std::span<const std::uint8_t> bytes, int tile_size) {
    JpegBlocks blocks;
    blocks.file_.assign(bytes.begin(), bytes.end());
    if (const auto why = blocks.read(tile_size)) {
        return internal_error("a JPEG tile can't be opened for change: " + *why);
    }
    return blocks;
}

void JpegBlocks::decode(int plane, int column, int row, ImageBuffer& image) const {
    const std::int16_t* coefficients = now_.block(plane, column, row);
    const QuantisationTable& steps = quantisation_[static_cast<std::size_t>(plane)];
    Square frequencies;
    for (std::size_t i = 0; i < side * side; ++i) frequencies[i] = static_cast<float>(coefficients[i] * steps[i]);
    const Square pixels = multiply(multiply(transposed(cosines()), frequencies), cosines());
    for (std::size_t y = 0; y < side; ++y) {
        const int at = row * BlockPlanes::block_side + static_cast<int>(y);
        std::uint8_t* out = image.row(plane, at) + std::ptrdiff_t{column} * BlockPlanes::block_side;
        for (std::size_t x = 0; x < side; ++x) {
            out[x] = static_cast<std::uint8_t>(std::clamp(std::lround(pixels[y * side + x] + 128), 0L, 255L));
        }
    }
}

void JpegBlocks::encode(int plane, int column, int row, const ImageBuffer& image) {
    Square pixels;
    for (std::size_t y = 0; y < side; ++y) {
        const int at = row * BlockPlanes::block_side + static_cast<int>(y);
        const std::uint8_t* in = image.row(plane, at) + std::ptrdiff_t{column} * BlockPlanes::block_side;
        for (std::size_t x = 0; x < side; ++x) pixels[y * side + x] = static_cast<float>(in[x]) - 128;
    }
    const Square frequencies = multiply(multiply(cosines(), pixels), transposed(cosines()));
    if (!before_) before_ = now_;
    std::int16_t* coefficients = now_.block(plane, column, row);
    const QuantisationTable& steps = quantisation_[static_cast<std::size_t>(plane)];
    for (std::size_t i = 0; i < side * side; ++i) {
        const auto quantised = static_cast<std::int16_t>(std::lround(frequencies[i] / static_cast<float>(steps[i])));
        changed_ = changed_ || coefficients[i] != quantised;
        coefficients[i] = quantised;
    }
}

Result<std::vector<std::uint8_t>> JpegBlocks::finish(Effort effort) const {
    JpegCoefficients file;
    const bool fine = file.read(file_, now_.tile_size()) && file.layout() == layout();
    for (int plane = 0; fine && plane < now_.planes(); ++plane) {
        now_.each_block_in(plane, [&](int column, int row) {
            std::copy_n(now_.block(plane, column, row), BlockPlanes::block_size, file.block(plane, column, row));
        });
    }
    auto written = fine ? file.write(effort) : std::nullopt;
    if (!written) return internal_error(std::string("a changed JPEG tile: ") + file.why());
    return std::move(*written);
}

}  // namespace tessera::codecs
