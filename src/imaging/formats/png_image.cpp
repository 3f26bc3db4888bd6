#include "imaging/formats/png_image.hpp"

#include <cstring>
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
          shrink_(reader_->width(), reader_->bands(), reader_->sample_bytes(), factors),
          factors_(factors),
          height_(BoxShrink::shrunk(reader_->height(), factors.down)) {}

    [[nodiscard]] int width() const { return shrink_.width(); }
    [[nodiscard]] int height() const { return height_; }

    bool write(std::uint8_t* out, RowReader* /*upstream*/) override {
        if (!factors_.any()) {
            const std::uint8_t* row = next_row();
            if (row != nullptr) std::memcpy(out, row, reader_->row_size());
            return row != nullptr;
        }
        ++made_;
        const int end = made_ == height_ ? reader_->height() : made_ * factors_.down;
        for (; read_ < end; ++read_) {
            const std::uint8_t* row = next_row();
            if (row == nullptr) return false;
            shrink_.add(row);
        }
        shrink_.take(out);
        return true;
    }

  private:
    const std::uint8_t* next_row() {
        const std::uint8_t* row = reader_->next_row();
        if (row == nullptr) vips_error("png", "%s", reader_->complaint());
        return row;
    }

    std::unique_ptr<codecs::PngReader> reader_;
    BoxShrink shrink_;
    BoxFactors factors_;
    int height_;
    int made_ = 0;
    int read_ = 0;
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
    if (!BoxShrink::can(reader->bands(), reader->sample_bytes())) factors = {};
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
