#include "imaging/formats/png_image.hpp"

#include <memory>
#include <string>

#include "codecs/png/metadata.hpp"
#include "codecs/png/reader.hpp"
#include "imaging/formats/picture_model.hpp"
#include "imaging/formats/png_colours.hpp"
#include "imaging/pixels/row_image.hpp"

namespace tessera::imaging {
namespace {

using vips::VImage;

class PngRows final : public RowMaker {
  public:
    PngRows(std::unique_ptr<codecs::PngReader> reader, BoxFactors factors)
        : reader_(std::move(reader)),
          rows_(reader_->width(), reader_->height(), reader_->bands(), reader_->sample_bytes(), factors) {}

    [[nodiscard]] int width() const { return rows_.width(); }
    [[nodiscard]] int height() const { return rows_.height(); }

    bool write(std::uint8_t* out, RowReader* /*upstream*/) override {
        return rows_.make(out, [this] {
            const std::uint8_t* const row = reader_->next_row();
            if (row == nullptr) vips_error("png", "%s", reader_->complaint());
            return row;
        });
    }

  private:
    std::unique_ptr<codecs::PngReader> reader_;
    BoxedRows rows_;
};

VImage header_of(int fd, const codecs::PngReader& reader) {
    const PictureModel picture{reader.width(), reader.height(), reader.bands(), reader.sample_bytes() == 2};
    codecs::GatheredMetadata metadata = codecs::read_png_metadata(fd);
    if (metadata.icc.empty()) {
        const std::string profile = stated_profile(fd, picture.bands <= 2);
        metadata.icc.assign(profile.begin(), profile.end());
    }
    return model_of(picture, metadata.bytes());
}

}  // namespace

std::optional<VImage> plain_png(int fd, BoxFactors factors) {
    auto reader = codecs::PngReader::open(fd);
    if (!reader) return std::nullopt;
    const VImage header = header_of(fd, *reader);
    auto rows = std::make_unique<PngRows>(std::move(reader), factors);
    const int width = rows->width();
    const int height = rows->height();
    return image_of_rows(header, width, height, std::move(rows), false);
}

std::optional<VImage> plain_png_header(int fd) {
    const auto reader = codecs::PngReader::open(fd);
    if (!reader) return std::nullopt;
    return header_of(fd, *reader);
}

}  // namespace tessera::imaging
