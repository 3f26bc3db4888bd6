#include "imaging/save/encode/jpeg.hpp"

#include <span>
#include <string>

#include "codecs/jpeg/libjpeg_destination.hpp"
#include "codecs/jpeg/own_codes.hpp"
#include "imaging/pixels/pour.hpp"

namespace tessera::imaging {
namespace {

using vips::VImage;

class JpegWriter {
  public:
    JpegWriter() {
        info_.err = guard_.install();
        jpeg_create_compress(&info_);
        destination_.install(info_);
    }
    JpegWriter(const JpegWriter&) = delete;
    JpegWriter& operator=(const JpegWriter&) = delete;
    ~JpegWriter() { jpeg_destroy_compress(&info_); }

    [[nodiscard]] std::span<const std::uint8_t> file() const { return destination_.file(); }
    [[nodiscard]] const char* complaint() const { return guard_.message; }

    // The functions below may be left by a jump: no object with a destructor lives in them.
    bool start(int width, int height, int bands, const JpegSettings& settings) {
        if (setjmp(guard_.jump) != 0) return false;
        info_.image_width = static_cast<JDIMENSION>(width);
        info_.image_height = static_cast<JDIMENSION>(height);
        info_.input_components = bands;
        info_.in_color_space = bands == 1 ? JCS_GRAYSCALE : JCS_RGB;
        jpeg_set_defaults(&info_);
        jpeg_set_quality(&info_, settings.quality, TRUE);
        info_.write_JFIF_header = FALSE;
        const bool halved = bands == 3 && !settings.full_colour;
        info_.comp_info[0].h_samp_factor = halved ? 2 : 1;
        info_.comp_info[0].v_samp_factor = halved ? 2 : 1;
        jpeg_start_compress(&info_, TRUE);
        return true;
    }
    bool add(const std::uint8_t* row) {
        if (setjmp(guard_.jump) != 0) return false;
        auto* samples = const_cast<JSAMPROW>(row);
        return jpeg_write_scanlines(&info_, &samples, 1) == 1;
    }
    bool finish() {
        if (setjmp(guard_.jump) != 0) return false;
        jpeg_finish_compress(&info_);
        return true;
    }

  private:
    codecs::JpegGuard guard_{};
    codecs::JpegDestination destination_{};
    jpeg_compress_struct info_{};
};

[[noreturn]] void fail(const std::string& why) {
    throw vips::VError("jpeg: " + why);
}

}  // namespace

std::vector<std::uint8_t> encode_jpeg(const VImage& image, const JpegSettings& settings) {
    const bool is_plain = image.format() == VIPS_FORMAT_UCHAR && (image.bands() == 1 || image.bands() == 3);
    if (!is_plain) fail("neither eight-bit colours nor greys");
    JpegWriter writer;
    if (!writer.start(image.width(), image.height(), image.bands(), settings)) fail(writer.complaint());
    pour(image, [&](const RowBlock& rows) {
        for (int i = 0; i < rows.count; ++i) {
            if (!writer.add(rows.row(i))) fail(writer.complaint());
        }
        return true;
    });
    if (!writer.finish()) fail(writer.complaint());
    if (!settings.own_codes) return {writer.file().begin(), writer.file().end()};
    auto smaller = codecs::with_own_codes(writer.file());
    if (!smaller) fail("what libjpeg wrote can't be read");
    return *std::move(smaller);
}

}  // namespace tessera::imaging
