#include "imaging/formats/jpeg_rows.hpp"

#include <algorithm>
#include <array>

#include "codecs/jpeg/libjpeg_guard.hpp"
#include "codecs/jpeg/libjpeg_source.hpp"

namespace tessera::imaging {
namespace {

constexpr int mcu_rows = 16;

class JpegRows final : public RowSource {
  public:
    explicit JpegRows(int fd) {
        info_.err = guard_.install();
        jpeg_create_decompress(&info_);
        source_.install(info_, fd);
    }
    ~JpegRows() override { jpeg_destroy_decompress(&info_); }

    [[nodiscard]] std::int64_t width() const override { return info_.image_width; }
    [[nodiscard]] std::int64_t height() const override { return info_.image_height; }
    [[nodiscard]] PixelLayout layout() const override { return layout_; }

    // False for colour spaces that need a conversion.
    JobResult<bool> open(JpegPlanes planes) {
        if (!read_header()) return failed();
        const bool is_gray = info_.jpeg_color_space == JCS_GRAYSCALE && info_.num_components == 1;
        const bool is_colour = info_.jpeg_color_space == JCS_YCbCr && info_.num_components == 3;
        if (is_gray) {
            layout_ = PixelLayout::gray;
            info_.out_color_space = JCS_GRAYSCALE;
        } else if (is_colour && usable_planes(planes)) {
            layout_ = *usable_planes(planes);
            info_.out_color_space = JCS_YCbCr;
            info_.raw_data_out = TRUE;
        } else if (is_colour || (info_.jpeg_color_space == JCS_RGB && info_.num_components == 3)) {
            layout_ = PixelLayout::rgb;
            info_.out_color_space = JCS_RGB;
        } else {
            return false;
        }
        return true;
    }

    JobResult<void> pour(RowSink& sink) override {
        if (!start()) return failed();
        while (info_.output_scanline < info_.output_height) {
            auto space = sink.space();
            if (!space) return space.error();
            const std::int64_t left = info_.output_height - info_.output_scanline;
            const std::int64_t rows = std::min(space->count, left);
            if (!decode(*space, rows)) return failed();
            if (guard_.misses_pixels(info_)) return failed();
            if (auto taken = sink.commit(rows); !taken) return taken.error();
        }
        return {};
    }

  private:
    [[nodiscard]] JobError failed() const {
        return {JobErrorCode::decode_failed, "the source image is damaged or not what it claims to be",
                guard_.misses_pixels(info_) ? "JPEG data ends early" : guard_.message};
    }

    // The layout of the file's own planes, where the caller can use it.
    [[nodiscard]] std::optional<PixelLayout> usable_planes(JpegPlanes wanted) const {
        const jpeg_component_info* parts = info_.comp_info;
        for (const int i : {1, 2}) {
            if (parts[i].h_samp_factor != 1 || parts[i].v_samp_factor != 1) return std::nullopt;
        }
        const bool halved = parts[0].h_samp_factor == 2 && parts[0].v_samp_factor == 2;
        const bool full = parts[0].h_samp_factor == 1 && parts[0].v_samp_factor == 1;
        if (halved && wanted != JpegPlanes::never) return PixelLayout::ycbcr420;
        if (full && wanted == JpegPlanes::any) return PixelLayout::ycbcr444;
        return std::nullopt;
    }

    // The functions below may be left by a jump: no object with a destructor lives in them.
    bool read_header() {
        if (setjmp(guard_.jump) != 0) return false;
        jpeg_read_header(&info_, TRUE);
        return true;
    }
    bool start() {
        if (setjmp(guard_.jump) != 0) return false;
        jpeg_start_decompress(&info_);
        return true;
    }
    bool decode(const RowSpace& space, std::int64_t rows) {
        if (setjmp(guard_.jump) != 0) return false;
        if (plane_count(layout_) == 3) {
            decode_planes(space, rows);
        } else {
            decode_rows(space, rows);
        }
        return true;
    }
    void decode_rows(const RowSpace& space, std::int64_t rows) {
        for (std::int64_t done = 0; done < rows;) {
            std::array<JSAMPROW, mcu_rows> lines;
            const std::int64_t count = std::min<std::int64_t>(mcu_rows, rows - done);
            for (std::int64_t i = 0; i < count; ++i) {
                lines[static_cast<std::size_t>(i)] = space.buffer->row(0, space.row + done + i);
            }
            done += jpeg_read_scanlines(&info_, lines.data(), static_cast<JDIMENSION>(count));
        }
    }
    void decode_planes(const RowSpace& space, std::int64_t rows) {
        std::array<std::array<JSAMPROW, mcu_rows>, 3> lines;
        std::array<JSAMPARRAY, 3> planes = {lines[0].data(), lines[1].data(), lines[2].data()};
        const int step = DCTSIZE * info_.max_v_samp_factor;
        for (std::int64_t done = 0; done < rows; done += step) {
            for (int plane = 0; plane < 3; ++plane) {
                const int shift = plane_shift(layout_, plane);
                for (int i = 0; i < step >> shift; ++i) {
                    lines[static_cast<std::size_t>(plane)][static_cast<std::size_t>(i)] =
                        space.buffer->row(plane, ((space.row + done) >> shift) + i);
                }
            }
            jpeg_read_raw_data(&info_, planes.data(), static_cast<JDIMENSION>(step));
        }
    }

    codecs::JpegGuard guard_{};
    codecs::JpegSource source_{};
    jpeg_decompress_struct info_{};
    PixelLayout layout_ = PixelLayout::rgb;
};

}  // namespace

JobResult<std::unique_ptr<RowSource>> open_jpeg_rows(int fd, JpegPlanes planes) {
    auto rows = std::make_unique<JpegRows>(fd);
    const auto opened = rows->open(planes);
    if (!opened) return opened.error();
    if (!*opened) return std::unique_ptr<RowSource>();
    return std::unique_ptr<RowSource>(std::move(rows));
}

}  // namespace tessera::imaging
