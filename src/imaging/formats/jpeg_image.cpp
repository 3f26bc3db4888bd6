#include "imaging/formats/jpeg_image.hpp"

#include <unistd.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "codecs/jpeg/libjpeg_source.hpp"
#include "codecs/jpeg/metadata.hpp"
#include "codecs/jpeg/reduced/reader.hpp"
#include "core/file.hpp"
#include "imaging/formats/picture_model.hpp"
#include "imaging/pixels/row_image.hpp"

namespace tessera::imaging {
namespace {

using vips::VImage;

// Of a reduced picture, decoders also have the part of a pixel that may be left at the right and at the bottom; we
// count whole pixels, as libvips does.
bool is_size_of(const PictureModel& picture, int width, int height, int bands) {
    const auto fits = [](int whole, int decoded) { return decoded == whole || decoded == whole + 1; };
    return fits(picture.width, width) && fits(picture.height, height) && picture.bands == bands;
}

// Rows without what is not whole. The last of them are decoded nevertheless: damage must show.
class WholePixels final : public RowMaker {
  public:
    WholePixels(std::unique_ptr<RowMaker> rows, int width, int height, const PictureModel& picture)
        : rows_(std::move(rows)),
          row_(static_cast<std::size_t>(width * picture.bands)),
          kept_(static_cast<std::size_t>(picture.width * picture.bands)),
          rows_kept_(picture.height),
          rows_left_(height) {}

    bool write(std::uint8_t* out, RowReader* upstream) override {
        if (!next(upstream)) return false;
        std::copy_n(row_.begin(), kept_, out);
        if (--rows_kept_ > 0) return true;
        while (rows_left_ > 0) {
            if (!next(upstream)) return false;
        }
        return true;
    }

  private:
    bool next(RowReader* upstream) {
        --rows_left_;
        return rows_->write(row_.data(), upstream);
    }

    std::unique_ptr<RowMaker> rows_;
    std::vector<std::uint8_t> row_;
    std::size_t kept_;
    int rows_kept_;
    int rows_left_;
};

std::unique_ptr<RowMaker> whole_pixels(std::unique_ptr<RowMaker> rows, int width, int height,
                                       const PictureModel& picture) {
    if (width == picture.width && height == picture.height) return rows;
    return std::make_unique<WholePixels>(std::move(rows), width, height, picture);
}

class JpegImageRows final : public RowMaker {
  public:
    explicit JpegImageRows(UniqueFd file) : file_(std::move(file)) {
        info_.err = guard_.install();
        jpeg_create_decompress(&info_);
        source_.install(info_, file_.get());
    }
    ~JpegImageRows() override { jpeg_destroy_decompress(&info_); }

    // False where this is not for us to decode.
    bool open(int shrink) {
        if (!read_header(shrink)) return false;
        const bool grey = info_.jpeg_color_space == JCS_GRAYSCALE && info_.num_components == 1;
        const bool colour =
            (info_.jpeg_color_space == JCS_YCbCr || info_.jpeg_color_space == JCS_RGB) && info_.num_components == 3;
        const bool inks =
            (info_.jpeg_color_space == JCS_CMYK || info_.jpeg_color_space == JCS_YCCK) && info_.num_components == 4;
        info_.out_color_space = grey ? JCS_GRAYSCALE : inks ? JCS_CMYK : JCS_RGB;
        inverted_ = inks;
        return grey || colour || inks;
    }

    [[nodiscard]] int width() const { return static_cast<int>(info_.output_width); }
    [[nodiscard]] int height() const { return static_cast<int>(info_.output_height); }
    [[nodiscard]] int bands() const { return info_.num_components; }
    [[nodiscard]] PictureModel picture(int shrink) const {
        const auto whole = [&](JDIMENSION edge) { return static_cast<int>(edge) / shrink; };
        return {whole(info_.image_width), whole(info_.image_height), bands(), false, inverted_};
    }

    bool write(std::uint8_t* out, RowReader* /*upstream*/) override {
        const bool read = (started_ || start()) && read_row(out);
        const bool cut = guard_.misses_pixels(info_);
        if (read && !cut) {
            if (inverted_) invert(out);
            return true;
        }
        vips_error("jpeg", "%s", cut ? "JPEG data ends early" : guard_.message);
        return false;
    }

  private:
    // libvips has inks as they are printed; files have them the other way round.
    void invert(std::uint8_t* row) const {
        const std::size_t samples = std::size_t{info_.output_width} * 4;
        for (std::size_t i = 0; i < samples; ++i) row[i] = static_cast<std::uint8_t>(255 - row[i]);
    }

    // The functions below may be left by a jump: no object with a destructor lives in them.
    bool read_header(int shrink) {
        if (setjmp(guard_.jump) != 0) return false;
        jpeg_read_header(&info_, TRUE);
        info_.scale_num = 1;
        info_.scale_denom = static_cast<unsigned>(shrink);
        jpeg_calc_output_dimensions(&info_);
        return true;
    }
    bool start() {
        if (setjmp(guard_.jump) != 0) return false;
        jpeg_start_decompress(&info_);
        started_ = true;
        return true;
    }
    bool read_row(JSAMPROW row) {
        if (setjmp(guard_.jump) != 0) return false;
        return jpeg_read_scanlines(&info_, &row, 1) == 1;
    }

    UniqueFd file_;
    codecs::JpegGuard guard_{};
    codecs::JpegSource source_{};
    jpeg_decompress_struct info_{};
    bool started_ = false;
    bool inverted_ = false;
};

std::unique_ptr<JpegImageRows> libjpeg_rows(int fd, int shrink) {
    UniqueFd own(::dup(fd));
    if (!own) return nullptr;
    auto rows = std::make_unique<JpegImageRows>(std::move(own));
    if (!rows->open(shrink)) return nullptr;
    const PictureModel picture = rows->picture(shrink);
    return picture.width > 0 && picture.height > 0 ? std::move(rows) : nullptr;
}

// Where our own reader gives up, libjpeg goes on from that row: it makes guesses about restarts that are missing or out
// of order, and it is its word that a file is beyond that.
class ReducedRows final : public RowMaker {
  public:
    ReducedRows(std::unique_ptr<codecs::ReducedJpeg> reader, UniqueFd file, int shrink)
        : reader_(std::move(reader)), file_(std::move(file)), shrink_(shrink) {}

    bool write(std::uint8_t* out, RowReader* upstream) override {
        if (reader_ && reader_->next_row(out)) {
            ++done_;
            return true;
        }
        if (reader_ && !leave_to_libjpeg(out, upstream)) return false;
        return libjpeg_ && libjpeg_->write(out, upstream);
    }

  private:
    bool leave_to_libjpeg(std::uint8_t* out, RowReader* upstream) {
        const char* complaint = reader_->complaint();
        reader_.reset();  // before libjpeg takes memory of its own
        libjpeg_ = libjpeg_rows(file_.get(), shrink_);
        if (!libjpeg_) {
            vips_error("jpeg", "%s", complaint);
            return false;
        }
        for (int row = 0; row < done_; ++row) {
            if (!libjpeg_->write(out, upstream)) return false;
        }
        return true;
    }

    std::unique_ptr<codecs::ReducedJpeg> reader_;
    UniqueFd file_;
    const int shrink_;
    int done_ = 0;
    std::unique_ptr<RowMaker> libjpeg_;
};

std::unique_ptr<RowMaker> reduced_rows(int fd, const PictureModel& picture, int shrink) {
    auto reader = codecs::ReducedJpeg::open(fd, shrink);
    const bool agrees = reader && is_size_of(picture, reader->width(), reader->height(), reader->bands());
    UniqueFd own(agrees ? ::dup(fd) : -1);
    if (!own) return nullptr;
    const int width = reader->width();
    const int height = reader->height();
    auto rows = std::make_unique<ReducedRows>(std::move(reader), std::move(own), shrink);
    return whole_pixels(std::move(rows), width, height, picture);
}

VImage header_of(int fd, const PictureModel& picture) {
    return model_of(picture, codecs::read_jpeg_metadata(fd).bytes());
}

}  // namespace

std::optional<VImage> plain_jpeg(int fd, int shrink) {
    auto by_libjpeg = libjpeg_rows(fd, shrink);
    if (!by_libjpeg) return std::nullopt;
    const PictureModel picture = by_libjpeg->picture(shrink);
    auto rows = reduced_rows(fd, picture, shrink);
    if (!rows) {
        const int width = by_libjpeg->width();
        const int height = by_libjpeg->height();
        rows = whole_pixels(std::move(by_libjpeg), width, height, picture);
    }
    return image_of_rows(header_of(fd, picture), picture.width, picture.height, std::move(rows), false);
}

std::optional<VImage> plain_jpeg_header(int fd) {
    const auto by_libjpeg = libjpeg_rows(fd, 1);
    if (!by_libjpeg) return std::nullopt;
    return header_of(fd, by_libjpeg->picture(1));
}

}  // namespace tessera::imaging
