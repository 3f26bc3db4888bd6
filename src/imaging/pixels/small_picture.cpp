#include "imaging/pixels/small_picture.hpp"

#include <algorithm>
#include <cmath>

namespace tessera::imaging {
namespace {

constexpr double most_cells = 32;         // along the longer edge
constexpr std::int64_t most_looks = 256;  // at pixels along an edge

std::int64_t step_along(std::int64_t edge) {
    return (edge + most_looks - 1) / most_looks;
}

int cells_along(std::int64_t edge, std::int64_t longest) {
    const double scale = std::min(1.0, most_cells / static_cast<double>(longest));
    return std::max(1, static_cast<int>(std::lround(static_cast<double>(edge) * scale)));
}

}  // namespace

SmallPicture turned(const SmallPicture& picture, Turn turn) {
    const Size before{picture.width, picture.height};
    const Size after = turned(before, turn);
    SmallPicture out{static_cast<int>(after.width), static_cast<int>(after.height), {}};
    out.cells.reserve(picture.cells.size());
    for (int y = 0; y < out.height; ++y) {
        for (int x = 0; x < out.width; ++x) {
            const Area from = turned(Area{x, y, 1, 1}, after, turn.undone());
            out.cells.push_back(picture.at(static_cast<int>(from.left), static_cast<int>(from.top)));
        }
    }
    return out;
}

SmallSums::SmallSums(Size whole, int bands)
    : whole_(whole),
      bands_(bands),
      width_(cells_along(whole.width, std::max(whole.width, whole.height))),
      height_(cells_along(whole.height, std::max(whole.width, whole.height))),
      step_across_(static_cast<std::size_t>(step_along(whole.width))),
      step_down_(step_along(whole.height)),
      looks_(static_cast<std::size_t>(width_)),
      sums_(static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_)) {
    const auto step = static_cast<std::int64_t>(step_across_);
    for (std::int64_t x = 0; x < whole.width; x += step) ++looks_[static_cast<std::size_t>(x * width_ / whole.width)];
}

template <std::size_t bands>
void SmallSums::add_looks(const std::uint8_t* pixel, Sums* row) const {
    constexpr bool is_grey = bands <= 2;
    constexpr bool has_alpha = bands % 2 == 0;
    constexpr std::uint64_t scale = has_alpha ? 1 : 255;
    constexpr std::size_t green = is_grey ? 0 : 1;
    constexpr std::size_t blue = is_grey ? 0 : 2;
    const std::size_t step = bands * step_across_;
    for (const std::uint32_t looks : looks_) {
        // A cell of a row has too few pixels for these to overflow.
        std::uint32_t red_sum = 0;
        std::uint32_t green_sum = 0;
        std::uint32_t blue_sum = 0;
        std::uint32_t opacity_sum = has_alpha ? 0 : looks;
        for (std::uint32_t look = 0; look < looks; ++look, pixel += step) {
            const std::uint32_t opacity = has_alpha ? pixel[bands - 1] : 1;
            red_sum += pixel[0] * opacity;
            green_sum += pixel[green] * opacity;
            blue_sum += pixel[blue] * opacity;
            if (has_alpha) opacity_sum += opacity;
        }
        Sums& cell = *row++;
        cell[0] += red_sum * scale;
        cell[1] += green_sum * scale;
        cell[2] += blue_sum * scale;
        cell[3] += opacity_sum * scale;
        cell[4] += looks;
    }
}

void SmallSums::add(std::int64_t row, const std::uint8_t* pixels) {
    if (row % step_down_ != 0) return;
    Sums* cells = sums_.data() + static_cast<std::size_t>(row * height_ / whole_.height * width_);
    switch (bands_) {
        case 1: return add_looks<1>(pixels, cells);
        case 2: return add_looks<2>(pixels, cells);
        case 3: return add_looks<3>(pixels, cells);
        default: return add_looks<4>(pixels, cells);
    }
}

SmallPicture SmallSums::picture() const {
    SmallPicture out{width_, height_, {}};
    out.cells.reserve(sums_.size());
    for (const Sums& sums : sums_) {
        SmallPicture::Cell cell{};
        if (sums[3] > 0) {
            for (std::size_t band = 0; band < 3; ++band) {
                cell[band] = static_cast<float>(static_cast<double>(sums[band]) / static_cast<double>(sums[3]) / 255);
            }
            cell[3] = static_cast<float>(static_cast<double>(sums[3]) / static_cast<double>(sums[4]) / 255);
        }
        out.cells.push_back(cell);
    }
    return out;
}

}  // namespace tessera::imaging
