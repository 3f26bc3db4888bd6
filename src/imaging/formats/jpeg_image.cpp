#include "imaging/formats/jpeg_image.hpp"

#include <unistd.h>

#include <memory>

#include "codecs/jpeg/libjpeg_source.hpp"
#include "codecs/jpeg/reduced/reader.hpp"
#include "core/file.hpp"
#include "imaging/pixels/row_image.hpp"

namespace tessera::imaging {
namespace {

using vips::VImage;

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

    [[nodiscard]] bool agrees(const VImage& header) const {
        return header.width() == static_cast<int>(info_.output_width) &&
               header.height() == static_cast<int>(info_.output_height) && header.bands() == info_.num_components &&
               header.format() == VIPS_FORMAT_UCHAR;
    }

    bool write(std::uint8_t* out, VipsRegion* /*upstream*/) override {
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

std::unique_ptr<RowMaker> libjpeg_rows(int fd, const VImage& header, int shrink) {
    UniqueFd own(::dup(fd));
    if (!own) return nullptr;
    auto rows = std::make_unique<JpegImageRows>(std::move(own));
    if (!rows->open(shrink) || !rows->agrees(header)) return nullptr;
    return rows;
}

// Where our own reader gives up, libjpeg goes on from that row: it makes guesses about restarts that are missing or out
// of order, and it is its word that a file is beyond that.
class ReducedRows final : public RowMaker {
  public:
    ReducedRows(std::unique_ptr<codecs::ReducedJpeg> reader, UniqueFd file, VImage header, int shrink)
        : reader_(std::move(reader)), file_(std::move(file)), header_(std::move(header)), shrink_(shrink) {}

    bool write(std::uint8_t* out, VipsRegion* upstream) override {
        if (reader_ && reader_->next_row(out)) {
            ++done_;
            return true;
        }
        if (reader_ && !leave_to_libjpeg(out, upstream)) return false;
        return libjpeg_ && libjpeg_->write(out, upstream);
    }

  private:
    bool leave_to_libjpeg(std::uint8_t* out, VipsRegion* upstream) {
        const char* complaint = reader_->complaint();
        reader_.reset();  // before libjpeg takes memory of its own
        libjpeg_ = libjpeg_rows(file_.get(), header_, shrink_);
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
    const VImage header_;
    const int shrink_;
    int done_ = 0;
    std::unique_ptr<RowMaker> libjpeg_;
};

std::unique_ptr<RowMaker> reduced_rows(int fd, const VImage& header, int shrink) {
    auto reader = codecs::ReducedJpeg::open(fd, shrink);
    const bool agrees = reader && header.width() == reader->width() && header.height() == reader->height() &&
                        header.bands() == reader->bands() && header.format() == VIPS_FORMAT_UCHAR;
    UniqueFd own(agrees ? ::dup(fd) : -1);
    if (!own) return nullptr;
    return std::make_unique<ReducedRows>(std::move(reader), std::move(own), header, shrink);
}

}  // namespace

std::optional<VImage> plain_jpeg(int fd, const VImage& header, int shrink) {
    auto rows = reduced_rows(fd, header, shrink);
    if (!rows) rows = libjpeg_rows(fd, header, shrink);
    if (!rows) return std::nullopt;
    return image_of_rows(header, header.width(), header.height(), std::move(rows), false);
}

}  // namespace tessera::imaging
