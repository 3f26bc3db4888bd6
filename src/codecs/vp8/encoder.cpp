#include "codecs/vp8/encoder.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

#include "codecs/vp8/frame.hpp"
#include "codecs/vp8/macroblock.hpp"

namespace tessera::codecs::vp8 {
namespace {

// So many macroblocks are coded before costs are learnt anew from what was coded.
constexpr int learn_after = 96;

int edge_of(int plane) {
    return plane == 0 ? 16 : 8;
}

// A plane as a decoder will have it, with what it takes the pixels around it to be.
class DecodedPlane {
  public:
    void start(int width, int height) {
        stride_ = before + width + after;
        bytes_.resize(static_cast<std::size_t>(stride_ * (height + 1)));
        std::memset(bytes_.data(), 127, static_cast<std::size_t>(stride_));
        for (int y = 0; y < height; ++y) row(y)[-1] = 129;
    }
    [[nodiscard]] std::ptrdiff_t stride() const { return stride_; }
    std::uint8_t* row(int y) { return bytes_.data() + (y + 1) * stride_ + before; }

  private:
    static constexpr std::ptrdiff_t before = 16;
    static constexpr std::ptrdiff_t after = 16;
    std::ptrdiff_t stride_ = 0;
    std::vector<std::uint8_t> bytes_;
};

// A square of a plane. Pixels beyond the picture are those at its edge.
void take_square(const Picture& picture, int plane, int column, int row, std::uint8_t* out) {
    const int edge = edge_of(plane);
    const int width = plane == 0 ? picture.width : (picture.width + 1) / 2;
    const int height = plane == 0 ? picture.height : (picture.height + 1) / 2;
    const int left = column * edge;
    const auto there = static_cast<std::size_t>(std::min(edge, width - left));
    const std::size_t beyond = static_cast<std::size_t>(edge) - there;
    for (int y = 0; y < edge; ++y, out += edge) {
        const int from = std::min(row * edge + y, height - 1);
        const std::uint8_t* const pixels = picture.planes[plane] + from * picture.strides[plane] + left;
        std::memcpy(out, pixels, there);
        if (beyond > 0) std::memset(out + there, pixels[there - 1], beyond);
    }
}

}  // namespace

class Encoder::Work {
  public:
    explicit Work(double quality) : quality_(quality), costs_(default_probabilities) {}

    std::optional<std::span<const std::uint8_t>> encode(const Picture& picture,
                                                        const std::function<void(double)>& progress) {
        start(picture);
        choose_quantisers(picture);
        return code_all(picture, progress);
    }
    std::optional<std::span<const std::uint8_t>> encode(const Picture& picture, const Segments& segments) {
        start(picture);
        frame_.segments = segments;
        take_quantisers();
        return code_all(picture, {});
    }
    std::optional<std::span<const std::uint8_t>> with_filters(const std::array<int, most_segments>& filters) {
        for (std::size_t i = 0; i < filters.size(); ++i) frame_.segments.all[i].filter = filters[i];
        return writer_.write(frame_);
    }

    [[nodiscard]] const Segments& segments() const { return frame_.segments; }
    [[nodiscard]] std::span<const std::uint32_t> sizes() const { return sizes_; }

  private:
    std::optional<std::span<const std::uint8_t>> code_all(const Picture& picture,
                                                          const std::function<void(double)>& progress) {
        int until_learnt = learn_after;
        for (int y = 0; y < down_; ++y) {
            around_.left = {};
            std::fill(std::begin(modes_left_), std::end(modes_left_), std::uint8_t{from_mean});
            for (int x = 0; x < frame_.across; ++x) {
                code(picture, x, y);
                if (--until_learnt > 0) continue;
                costs_.learn(frame_.tokens.best_probabilities());
                until_learnt = learn_after;
            }
            // Blocks at the end of the next row look further to the right than there are pixels.
            std::uint8_t* const end = decoded_[0].row(y * 16 + 15) + std::ptrdiff_t{frame_.across} * 16;
            std::memset(end, end[-1], 4);
            if (progress) progress((y + 1.0) / down_);
        }
        return writer_.write(frame_);
    }

    void start(const Picture& picture) {
        frame_.width = picture.width;
        frame_.height = picture.height;
        frame_.across = (picture.width + 15) / 16;
        down_ = (picture.height + 15) / 16;
        frame_.modes.clear();
        frame_.tokens.clear();
        sizes_.clear();
        costs_.learn(default_probabilities);
        for (int plane = 0; plane < 3; ++plane) {
            decoded_[plane].start(frame_.across * edge_of(plane), down_ * edge_of(plane));
        }
        above_.assign(static_cast<std::size_t>(frame_.across), Neighbours{});
        modes_above_.assign(static_cast<std::size_t>(frame_.across) * 4, from_mean);
    }

    void choose_quantisers(const Picture& picture) {
        details_.clear();
        for (int y = 0; y < down_; ++y) {
            for (int x = 0; x < frame_.across; ++x) {
                std::uint8_t pixels[256];
                take_square(picture, 0, x, y, pixels);
                details_.push_back(detail_of(pixels));
            }
        }
        choose_segments(quality_, details_, frame_.segments);
        frame_.segments.colour_means = usual_colour_means;
        take_quantisers();
    }
    void take_quantisers() {
        const Segments& segments = frame_.segments;
        for (int i = 0; i < most_segments; ++i) {
            quantisers_[i] = Quantiser(segments.all[i].quantiser, segments.colour_means);
        }
    }

    void code(const Picture& picture, int x, int y) {
        take_square(picture, 0, x, y, around_.luma);
        take_square(picture, 1, x, y, around_.chroma);
        take_square(picture, 2, x, y, around_.chroma + 64);
        for (int plane = 0; plane < 3; ++plane) {
            around_.decoded[plane] = decoded_[plane].row(y * edge_of(plane)) + std::ptrdiff_t{x} * edge_of(plane);
            around_.stride[plane] = decoded_[plane].stride();
        }
        Neighbours& above = above_[static_cast<std::size_t>(x)];
        std::uint8_t* const modes_above = modes_above_.data() + std::ptrdiff_t{x} * 4;
        around_.above = above;
        around_.modes_above = modes_above;
        around_.modes_left = modes_left_;
        around_.first_row = y == 0;
        around_.first_column = x == 0;
        const std::uint8_t segment =
            frame_.segments.of[static_cast<std::size_t>(y) * static_cast<std::size_t>(frame_.across) +
                               static_cast<std::size_t>(x)];
        code_macroblock(around_, quantisers_[segment], costs_, coded_);
        frame_.modes.push_back(coded_.modes);
        for (int i = 0; i < 4; ++i) {
            modes_above[i] = coded_.modes.of_blocks[12 + i];
            modes_left_[i] = coded_.modes.of_blocks[i * 4 + 3];
        }
        const std::size_t before = frame_.tokens.bits();
        if (coded_.modes.empty) {
            pass_over(above);
            pass_over(around_.left);
        } else {
            add_tokens(above, around_.left);
        }
        sizes_.push_back(static_cast<std::uint32_t>(frame_.tokens.bits() - before));
    }

    // Without levels; of means, only a macroblock that would have some has none.
    void pass_over(Neighbours& neighbours) const {
        const std::uint8_t means = coded_.modes.by_blocks ? neighbours.luma_dcs : std::uint8_t{0};
        neighbours = {};
        neighbours.luma_dcs = means;
    }

    void add_tokens(Neighbours& above, Neighbours& left) {
        const bool by_blocks = coded_.modes.by_blocks;
        if (!by_blocks) {
            add_block(luma_dcs, coded_.luma_dcs, 0, coded_.last_of_dcs, above.luma_dcs, left.luma_dcs);
        }
        for (int i = 0; i < 16; ++i) {
            add_block(by_blocks ? luma : luma_without_dc, coded_.luma[i], by_blocks ? 0 : 1, coded_.last_of_luma[i],
                      above.luma[i % 4], left.luma[i / 4]);
        }
        for (int i = 0; i < 8; ++i) {
            add_block(chroma, coded_.chroma[i], 0, coded_.last_of_chroma[i], above.chroma[i / 4 * 2 + i % 2],
                      left.chroma[i / 4 * 2 + i % 4 / 2]);
        }
    }
    void add_block(BlockKind kind, const std::int16_t* levels, int first, int last, std::uint8_t& above,
                   std::uint8_t& left) {
        frame_.tokens.add_block(kind, above + left, levels, first, last);
        above = left = last >= first ? 1 : 0;
    }

    const double quality_;
    Frame frame_;
    int down_ = 0;  // macroblocks in a column
    TokenCosts costs_;
    std::vector<float> details_;
    std::vector<std::uint32_t> sizes_;
    Quantiser quantisers_[most_segments];
    DecodedPlane decoded_[3];
    std::vector<Neighbours> above_;
    std::vector<std::uint8_t> modes_above_;
    std::uint8_t modes_left_[4] = {};
    Surroundings around_{};
    Macroblock coded_;
    FrameWriter writer_;
};

Encoder::Encoder(double quality) : work_(std::make_unique<Work>(quality)) {}
Encoder::~Encoder() = default;

std::optional<std::span<const std::uint8_t>> Encoder::encode(const Picture& picture,
                                                             const std::function<void(double)>& progress) {
    return work_->encode(picture, progress);
}
std::optional<std::span<const std::uint8_t>> Encoder::encode(const Picture& picture, const Segments& segments) {
    return work_->encode(picture, segments);
}
std::optional<std::span<const std::uint8_t>> Encoder::with_filters(const std::array<int, most_segments>& filters) {
    return work_->with_filters(filters);
}
const Segments& Encoder::segments() const {
    return work_->segments();
}
std::span<const std::uint32_t> Encoder::sizes() const {
    return work_->sizes();
}

}  // namespace tessera::codecs::vp8
