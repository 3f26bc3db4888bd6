#include "imaging/jpeg/blocks.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <numbers>
#include <string>
#include <unordered_map>
#include <utility>

#include "imaging/jpeg/error.hpp"
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

// A progressive layout, each scan with tables of its own: colours in one go, lightness by frequency and without its
// last bit, then that bit. Of a dozen such layouts this gave the smallest tiles of photographs.
constexpr std::array<jpeg_scan_info, 6> thorough_scans = {{
    {3, {0, 1, 2}, 0, 0, 0, 0},
    {1, {0}, 1, 8, 0, 1},
    {1, {1}, 1, 63, 0, 0},
    {1, {2}, 1, 63, 0, 0},
    {1, {0}, 9, 63, 0, 1},
    {1, {0}, 1, 63, 1, 0},
}};

Square transposed(const Square& a) {
    Square out;
    for (std::size_t i = 0; i < side * side; ++i) out[i % side * side + i / side] = a[i];
    return out;
}

}  // namespace

struct JpegBlocks::State {
    std::vector<std::uint8_t> bytes;
    JpegGuard guard{};
    jpeg_decompress_struct in{};
    jpeg_compress_struct out{};
    jvirt_barray_ptr* arrays = nullptr;
    PixelLayout layout = PixelLayout::gray;
    bool changed = false;
    std::unordered_map<std::uint32_t, std::array<JCOEF, side * side>> replaced;  // blocks as they were, by place_of()
    unsigned char* written = nullptr;
    unsigned long written_size = 0;

    State() {
        in.err = out.err = guard.install();
        jpeg_create_decompress(&in);
        jpeg_create_compress(&out);
    }
    State(const State&) = delete;
    State& operator=(const State&) = delete;
    ~State() {
        jpeg_destroy_compress(&out);
        jpeg_destroy_decompress(&in);
        std::free(written);
    }

    // The next two may be left by a jump: no object with a destructor lives in them.
    bool read(int tile_size) {
        if (setjmp(guard.jump) != 0) return false;
        jpeg_mem_src(&in, bytes.data(), bytes.size());
        jpeg_read_header(&in, TRUE);
        arrays = jpeg_read_coefficients(&in);
        const auto size = static_cast<JDIMENSION>(tile_size);
        return in.image_width == size && in.image_height == size && !guard.truncated && know_layout();
    }
    bool write(Effort effort) {
        if (setjmp(guard.jump) != 0) return false;
        jpeg_mem_dest(&out, &written, &written_size);
        jpeg_copy_critical_parameters(&in, &out);
        if (effort == Effort::thorough && in.num_components == 3) {
            out.scan_info = thorough_scans.data();
            out.num_scans = static_cast<int>(thorough_scans.size());
        }
        jpeg_write_coefficients(&out, arrays);
        jpeg_finish_compress(&out);
        return true;
    }

    bool know_layout() {
        const jpeg_component_info* parts = in.comp_info;
        if (in.num_components == 1) {
            layout = PixelLayout::gray;
            return true;
        }
        if (in.num_components != 3 || in.jpeg_color_space != JCS_YCbCr) return false;
        for (const int i : {1, 2}) {
            if (parts[i].h_samp_factor != 1 || parts[i].v_samp_factor != 1) return false;
        }
        const bool halved = parts[0].h_samp_factor == 2 && parts[0].v_samp_factor == 2;
        layout = halved ? PixelLayout::ycbcr420 : PixelLayout::ycbcr444;
        return halved || (parts[0].h_samp_factor == 1 && parts[0].v_samp_factor == 1);
    }

    JCOEF* block(int plane, int column, int row) {
        const JBLOCKARRAY rows = (*in.mem->access_virt_barray)(reinterpret_cast<j_common_ptr>(&in), arrays[plane],
                                                               static_cast<JDIMENSION>(row), 1, TRUE);
        return rows[0][column];
    }
    // The blocks of an MCU in the order of the scan, until `visit(plane, column, row)` says false.
    template <typename Visit>
    bool each_block(int mcu, Visit visit) const {
        const bool halved = layout == PixelLayout::ycbcr420;
        const int across = static_cast<int>(in.image_width) / (halved ? 2 * DCTSIZE : DCTSIZE);
        for (int plane = 0; plane < in.num_components; ++plane) {
            const int count = halved && plane == 0 ? 2 : 1;  // across and down
            for (int i = 0; i < count * count; ++i) {
                if (!visit(plane, mcu % across * count + i % count, mcu / across * count + i / count)) return false;
            }
        }
        return true;
    }
    // What the block was when the tile was opened.
    const JCOEF* first_block(int plane, int column, int row) {
        const auto found = replaced.find(place_of(plane, column, row));
        return found == replaced.end() ? block(plane, column, row) : found->second.data();
    }
    static std::uint32_t place_of(int plane, int column, int row) {
        return static_cast<std::uint32_t>(plane << 24 | row << 12 | column);
    }
    template <typename Old>
    bool is_same(int mcu, Old old) {
        return each_block(mcu, [&](int plane, int column, int row) {
            const JCOEF* own = block(plane, column, row);
            const JCOEF* other = old(plane, column, row);
            return own == other || std::equal(own, own + side * side, other);
        });
    }
    template <typename Of>
    Levels levels_after(int mcu, Of of) {
        Levels levels{};
        each_block(mcu, [&](int plane, int column, int row) {
            levels[static_cast<std::size_t>(plane)] = of(plane, column, row)[0];
            return true;
        });
        return levels;
    }
    bool write_mcu(const JpegScan& scan, int mcu, Levels before, BitAppender<BitOrder::first_is_highest>& bits) {
        return each_block(mcu, [&](int plane, int column, int row) {
            const JCOEF* own = block(plane, column, row);
            return scan.write(plane, own, std::exchange(before[static_cast<std::size_t>(plane)], own[0]), bits);
        });
    }
    // Over a file with these blocks.
    template <typename Old>
    std::optional<std::vector<std::uint8_t>> recipe(const std::vector<std::uint8_t>& file, Old old) {
        const auto scan = JpegScan::read(file);
        if (!scan) return std::nullopt;
        const auto now = [this](int plane, int column, int row) { return block(plane, column, row); };
        Splice splice{.stream = Splice::Stream::jpeg, .head = scan->head(), .adler32 = 0, .steps = {}};
        const int mcus = static_cast<int>(scan->places().size()) - 1;
        Levels before{};      // of the blocks ahead: the scan holds what blocks differ by
        Levels old_before{};  // and what they were
        for (int mcu = 0; mcu < mcus;) {
            const std::size_t start = scan->places()[static_cast<std::size_t>(mcu)];
            for (; mcu < mcus && before == old_before && is_same(mcu, old); ++mcu) {
                before = old_before = levels_after(mcu, now);
            }
            Splice::Step step{start, scan->places()[static_cast<std::size_t>(mcu)] - start, {}};
            BitAppender<BitOrder::first_is_highest> bits(step.then.bytes);
            for (; mcu < mcus && !(before == old_before && is_same(mcu, old)); ++mcu) {
                if (!write_mcu(*scan, mcu, before, bits)) return std::nullopt;
                before = levels_after(mcu, now);
                old_before = levels_after(mcu, old);
            }
            bits.finish(false);
            step.then.count = bits.total();
            splice.steps.push_back(std::move(step));
        }
        auto made = write_recipe(splice, file);
        if (!made || made->bytes.size() > file.size() / 2 || !holds_these(made->tile, mcus)) return std::nullopt;
        return std::move(made->bytes);
    }
    // Nothing goes out that does not come back as it is here.
    bool holds_these(const std::vector<std::uint8_t>& file, int mcus) {
        State seen;
        seen.bytes = file;
        if (!seen.read(static_cast<int>(in.image_width)) || seen.layout != layout) return false;
        const auto theirs = [&](int plane, int column, int row) { return seen.block(plane, column, row); };
        for (int mcu = 0; mcu < mcus; ++mcu) {
            if (!is_same(mcu, theirs)) return false;
        }
        return true;
    }
    [[nodiscard]] const UINT16* steps(int plane) const { return in.comp_info[plane].quant_table->quantval; }
};

JpegBlocks::JpegBlocks(std::unique_ptr<State> state) : state_(std::move(state)) {}
JpegBlocks::~JpegBlocks() = default;

Result<std::unique_ptr<JpegBlocks>> JpegBlocks::open(std::span<const std::uint8_t> bytes, int tile_size) {
    auto state = std::make_unique<State>();
    state->bytes.assign(bytes.begin(), bytes.end());
    if (!state->read(tile_size)) {
        return internal_error(std::string("a JPEG tile can't be opened for change: ") + state->guard.message);
    }
    return std::unique_ptr<JpegBlocks>(new JpegBlocks(std::move(state)));
}

PixelLayout JpegBlocks::layout() const {
    return state_->layout;
}

void JpegBlocks::decode(int plane, int column, int row, ImageBuffer& image) {
    const JCOEF* coefficients = state_->block(plane, column, row);
    const UINT16* steps = state_->steps(plane);
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
    JCOEF* coefficients = state_->block(plane, column, row);
    const UINT16* steps = state_->steps(plane);
    const auto [old, fresh] = state_->replaced.try_emplace(State::place_of(plane, column, row));
    if (fresh) std::copy_n(coefficients, side * side, old->second.begin());
    for (std::size_t i = 0; i < side * side; ++i) {
        const auto quantised = static_cast<JCOEF>(std::lround(frequencies[i] / static_cast<float>(steps[i])));
        state_->changed = state_->changed || coefficients[i] != quantised;
        coefficients[i] = quantised;
    }
}

bool JpegBlocks::changed() const {
    return state_->changed;
}

std::optional<std::vector<std::uint8_t>> JpegBlocks::recipe_over(JpegBlocks& base) {
    State& old = *base.state_;
    if (layout() != base.layout()) return std::nullopt;
    for (int plane = 0; plane < state_->in.num_components; ++plane) {
        if (!std::equal(state_->steps(plane), state_->steps(plane) + side * side, old.steps(plane)))
            return std::nullopt;
    }
    return state_->recipe(old.bytes, [&](int plane, int column, int row) { return old.block(plane, column, row); });
}

std::optional<std::vector<std::uint8_t>> JpegBlocks::recipe() {
    return state_->recipe(state_->bytes,
                          [&](int plane, int column, int row) { return state_->first_block(plane, column, row); });
}

Result<std::vector<std::uint8_t>> JpegBlocks::finish(Effort effort) {
    if (!state_->write(effort)) return internal_error(std::string("a changed JPEG tile: ") + state_->guard.message);
    return std::vector<std::uint8_t>(state_->written, state_->written + state_->written_size);
}

}  // namespace tessera::imaging
