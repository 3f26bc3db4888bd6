#include "imaging/picture/impression.hpp"

#include <algorithm>
#include <cstring>

#include "imaging/picture/transform.hpp"
#include "imaging/pixels/row_image.hpp"
#include "imaging/pixels/vips_image.hpp"

namespace tessera::imaging {
namespace {

using vips::VImage;

// Rows pass as they are.
class SummedRows final : public RowMaker {
  public:
    SummedRows(const VImage& image, std::shared_ptr<SmallSums> sums)
        : sums_(std::move(sums)), row_bytes_(imaging::row_bytes(image)) {}

    bool write(std::uint8_t* out, RowReader* upstream) override {
        const std::uint8_t* row = upstream->next();
        if (row == nullptr) return false;
        std::memcpy(out, row, row_bytes_);
        sums_->add(row_++, row);
        return true;
    }

  private:
    std::shared_ptr<SmallSums> sums_;
    std::size_t row_bytes_;
    int row_ = 0;
};

}  // namespace

std::optional<Impression> impression_of(const SmallPicture& picture) {
    const bool is_clear = std::ranges::none_of(picture.cells, [](const auto& cell) { return cell[3] > 0; });
    if (is_clear) return std::nullopt;
    return Impression{thumbhash_of(picture), blurhash_of(picture), palette_of(picture)};
}

std::shared_ptr<SmallSums> sums_for(const Image& image) {
    return std::make_shared<SmallSums>(Size{image.width(), image.height()}, unwrap(image).bands());
}

JobResult<Image> summed(const Image& image, std::shared_ptr<SmallSums> sums) {
    return guarded([&] {
        const VImage pixels = unwrap(image);
        return wrap(image_of_rows(pixels, pixels.width(), pixels.height(),
                                  std::make_unique<SummedRows>(pixels, std::move(sums)), true));
    });
}

JobResult<SmallPicture> small_picture(const Image& image) {
    constexpr std::int64_t most_looks = 256;
    auto some = guarded([&] {
        const auto step = [](std::int64_t edge) {
            return static_cast<int>(std::max<std::int64_t>(1, edge / most_looks));
        };
        return wrap(unwrap(image).subsample(step(image.width()), step(image.height())));
    });
    if (some) some = to_srgb(*some);
    if (!some) return some.error();
    return guarded([&] {
        const VImage pixels = unwrap(*some).copy_memory();
        SmallSums sums({pixels.width(), pixels.height()}, pixels.bands());
        const auto* data = static_cast<const std::uint8_t*>(pixels.data());
        const auto row_bytes = static_cast<std::size_t>(pixels.width()) * static_cast<std::size_t>(pixels.bands());
        for (int y = 0; y < pixels.height(); ++y) sums.add(y, data + static_cast<std::size_t>(y) * row_bytes);
        return sums.picture();
    });
}

}  // namespace tessera::imaging
