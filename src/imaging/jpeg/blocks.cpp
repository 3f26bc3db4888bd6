#include "imaging/jpeg/blocks.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <numbers>
#include <string>
#include <utility>

#include "imaging/jpeg/coefficients.hpp"
#include "imaging/jpeg/scan.hpp"

namespace tessera::imaging {
namespace {

constexpr std::size_t side = DCTSIZE;
using Square = std::array<float, side * side>;
using Levels = std::array<int, 3>;  // DC of a block, for each plane

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

struct JpegBlocks::State {
    using Coefficients = std::array<std::vector<std::int16_t>, 3>;  // of each plane's blocks, row by row

    std::vector<std::uint8_t> bytes;
    int size = 0;
    PixelLayout layout = PixelLayout::gray;
    std::optional<TileScan> scan;  // nothing where the file is not as our encoder makes it
    Coefficients now;
    Coefficients before;  // empty as long as no block was encoded
    std::array<std::array<std::uint16_t, side * side>, 3> steps{};
    bool changed = false;

    [[nodiscard]] int planes() const { return plane_count(layout); }
    [[nodiscard]] int across(int plane) const { return size / DCTSIZE >> plane_shift(layout, plane); }
    [[nodiscard]] const Coefficients& first() const { return before[0].empty() ? now : before; }

    template <typename Planes>  // of const vectors or others
    auto* block(Planes& of, int plane, int column, int row) const {
        const std::ptrdiff_t number = std::ptrdiff_t{row} * across(plane) + column;
        return of[static_cast<std::size_t>(plane)].data() + number * DCTSIZE2;
    }

    // By our own reader, which also learns where blocks lie, or else by libjpeg. Says what is wrong, if anything is.
    std::optional<std::string> read() {
        scan = TileScan::read(bytes);
        if (scan && take_from_scan()) return std::nullopt;
        scan.reset();
        JpegCoefficients file;
        if (!file.read(bytes, size)) return file.why();
        layout = file.layout();
        for (int plane = 0; plane < planes(); ++plane) {
            const auto i = static_cast<std::size_t>(plane);
            std::ranges::copy(file.steps(plane), steps[i].begin());
            now[i].resize(side * side * static_cast<std::size_t>(across(plane) * across(plane)));
            for_each_block(plane, [&](int column, int row) {
                std::copy_n(file.block(plane, column, row), DCTSIZE2, block(now, plane, column, row));
            });
        }
        return std::nullopt;
    }
    bool take_from_scan() {
        if (scan->width() != static_cast<unsigned>(size) || scan->height() != static_cast<unsigned>(size)) return false;
        auto& parts = scan->planes();
        layout = parts.size() == 1      ? PixelLayout::gray
                 : parts[0].blocks == 2 ? PixelLayout::ycbcr420
                                        : PixelLayout::ycbcr444;
        for (std::size_t i = 0; i < parts.size(); ++i) {
            now[i] = std::move(parts[i].coefficients);
            steps[i] = parts[i].steps;
        }
        return true;
    }

    template <typename Visit>
    void for_each_block(int plane, Visit visit) const {
        const int count = across(plane);
        for (int i = 0; i < count * count; ++i) visit(i % count, i / count);
    }
    // The blocks of an MCU in the order of the scan, until `visit(plane, column, row)` says false.
    template <typename Visit>
    bool each_block(int mcu, Visit visit) const {
        const bool halved = layout == PixelLayout::ycbcr420;
        const int mcus_across = size / (halved ? 2 * DCTSIZE : DCTSIZE);
        for (int plane = 0; plane < planes(); ++plane) {
            const int count = halved && plane == 0 ? 2 : 1;  // across and down
            for (int i = 0; i < count * count; ++i) {
                if (!visit(plane, mcu % mcus_across * count + i % count, mcu / mcus_across * count + i / count)) {
                    return false;
                }
            }
        }
        return true;
    }
    bool is_same(int mcu, const Coefficients& old) const {
        return each_block(mcu, [&](int plane, int column, int row) {
            return std::memcmp(block(now, plane, column, row), block(old, plane, column, row),
                               DCTSIZE2 * sizeof(std::int16_t)) == 0;
        });
    }
    Levels levels_after(int mcu, const Coefficients& of) const {
        Levels levels{};
        each_block(mcu, [&](int plane, int column, int row) {
            levels[static_cast<std::size_t>(plane)] = block(of, plane, column, row)[0];
            return true;
        });
        return levels;
    }
    bool write_mcu(const TileScan& codes, int mcu, Levels levels, BitAppender<BitOrder::first_is_highest>& bits) const {
        return each_block(mcu, [&](int plane, int column, int row) {
            const auto i = static_cast<std::size_t>(plane);
            const std::int16_t* own = block(now, plane, column, row);
            return codes.write(i, own, std::exchange(levels[i], own[0]), bits);
        });
    }
    // Over a file with these blocks and this scan.
    [[nodiscard]] std::optional<std::vector<std::uint8_t>> recipe(const std::vector<std::uint8_t>& file,
                                                                  const TileScan& places,
                                                                  const Coefficients& old) const {
        Splice splice{.stream = Splice::Stream::jpeg, .head = places.head(), .adler32 = 0, .steps = {}};
        const auto place_of = [&](int mcu) { return places.places()[static_cast<std::size_t>(mcu)]; };
        const int mcus = static_cast<int>(places.places().size()) - 1;
        Levels levels{};      // of the blocks ahead: the scan holds what blocks differ by
        Levels old_levels{};  // and what they were
        for (int mcu = 0; mcu < mcus;) {
            const std::size_t start = place_of(mcu);
            for (; mcu < mcus && levels == old_levels && is_same(mcu, old); ++mcu) {
                levels = old_levels = levels_after(mcu, now);
            }
            Splice::Step step{start, place_of(mcu) - start, {}};
            BitAppender<BitOrder::first_is_highest> bits(step.then.bytes);
            for (; mcu < mcus && !(levels == old_levels && is_same(mcu, old)); ++mcu) {
                if (!write_mcu(places, mcu, levels, bits)) return std::nullopt;
                levels = levels_after(mcu, now);
                old_levels = levels_after(mcu, old);
            }
            bits.finish(false);
            step.then.count = bits.total();
            splice.steps.push_back(std::move(step));
        }
        auto made = write_recipe(splice, file);
        if (!made || made->bytes.size() > file.size() / 2 || !is_held_by(made->tile)) return std::nullopt;
        return std::move(made->bytes);
    }
    // Nothing goes out that libjpeg does not read as it is here.
    [[nodiscard]] bool is_held_by(const std::vector<std::uint8_t>& file) const {
        JpegCoefficients seen;
        if (!seen.read(file, size) || seen.layout() != layout) return false;
        bool same = true;
        for (int plane = 0; plane < planes(); ++plane) {
            for_each_block(plane, [&](int column, int row) {
                const std::int16_t* own = block(now, plane, column, row);
                same = same && std::equal(own, own + DCTSIZE2, seen.block(plane, column, row));
            });
        }
        return same;
    }
};

JpegBlocks::JpegBlocks(std::unique_ptr<State> state) : state_(std::move(state)) {}
JpegBlocks::~JpegBlocks() = default;

Result<std::unique_ptr<JpegBlocks>> JpegBlocks::open(std::span<const std::uint8_t> bytes, int tile_size) {
    auto state = std::make_unique<State>();
    state->bytes.assign(bytes.begin(), bytes.end());
    state->size = tile_size;
    if (const auto why = state->read()) return internal_error("a JPEG tile can't be opened for change: " + *why);
    return std::unique_ptr<JpegBlocks>(new JpegBlocks(std::move(state)));
}

PixelLayout JpegBlocks::layout() const {
    return state_->layout;
}

void JpegBlocks::decode(int plane, int column, int row, ImageBuffer& image) {
    const std::int16_t* coefficients = state_->block(state_->now, plane, column, row);
    const auto& steps = state_->steps[static_cast<std::size_t>(plane)];
    Square frequencies;
    for (std::size_t i = 0; i < side * side; ++i) frequencies[i] = static_cast<float>(coefficients[i] * steps[i]);
    const Square pixels = multiply(multiply(transposed(cosines()), frequencies), cosines());
    for (std::size_t y = 0; y < side; ++y) {
        std::uint8_t* out = image.row(plane, row * DCTSIZE + static_cast<int>(y)) + std::ptrdiff_t{column} * DCTSIZE;
        for (std::size_t x = 0; x < side; ++x) {
            out[x] = static_cast<std::uint8_t>(std::clamp(std::lround(pixels[y * side + x] + 128), 0L, 255L));
        }
    }
}

void JpegBlocks::encode(int plane, int column, int row, const ImageBuffer& image) {
    Square pixels;
    for (std::size_t y = 0; y < side; ++y) {
        const std::uint8_t* in =
            image.row(plane, row * DCTSIZE + static_cast<int>(y)) + std::ptrdiff_t{column} * DCTSIZE;
        for (std::size_t x = 0; x < side; ++x) pixels[y * side + x] = static_cast<float>(in[x]) - 128;
    }
    const Square frequencies = multiply(multiply(cosines(), pixels), transposed(cosines()));
    if (state_->before[0].empty()) state_->before = state_->now;
    std::int16_t* coefficients = state_->block(state_->now, plane, column, row);
    const auto& steps = state_->steps[static_cast<std::size_t>(plane)];
    for (std::size_t i = 0; i < side * side; ++i) {
        const auto quantised = static_cast<std::int16_t>(std::lround(frequencies[i] / static_cast<float>(steps[i])));
        state_->changed = state_->changed || coefficients[i] != quantised;
        coefficients[i] = quantised;
    }
}

bool JpegBlocks::changed() const {
    return state_->changed;
}

std::optional<std::vector<std::uint8_t>> JpegBlocks::recipe_over(const JpegBlocks& base) const {
    const State& old = *base.state_;
    if (layout() != base.layout() || state_->steps != old.steps || !old.scan) return std::nullopt;
    return state_->recipe(old.bytes, *old.scan, old.now);
}

std::optional<std::vector<std::uint8_t>> JpegBlocks::recipe() const {
    if (!state_->scan) return std::nullopt;
    return state_->recipe(state_->bytes, *state_->scan, state_->first());
}

Result<std::vector<std::uint8_t>> JpegBlocks::finish(Effort effort) const {
    JpegCoefficients file;
    bool fine = file.read(state_->bytes, state_->size) && file.layout() == layout();
    for (int plane = 0; fine && plane < state_->planes(); ++plane) {
        state_->for_each_block(plane, [&](int column, int row) {
            const std::int16_t* own = state_->block(state_->now, plane, column, row);
            std::copy_n(own, DCTSIZE2, file.block(plane, column, row));
        });
    }
    auto written = fine ? file.write(effort) : std::nullopt;
    if (!written) return internal_error(std::string("a changed JPEG tile: ") + file.why());
    return std::move(*written);
}

}  // namespace tessera::imaging
