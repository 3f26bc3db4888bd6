#include "imaging/jpeg_rows.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <vector>

#include "imaging/jpeg_error.hpp"

namespace tessera::imaging {
namespace {

constexpr std::size_t read_size = 256U << 10;
constexpr int mcu_rows = 16;
// A progressive file may have thousands of scans, each of which costs a pass over the whole picture.
constexpr int max_scans = 200;

// Feeds libjpeg from a descriptor.
struct Source {
    jpeg_source_mgr base;  // first, so that libjpeg's pointer to it is a pointer to us
    int fd;
    off_t offset;
    std::vector<JOCTET>* buffer;

    static Source& of(j_decompress_ptr info) { return *reinterpret_cast<Source*>(info->src); }

    static boolean fill(j_decompress_ptr info) {
        static constexpr std::array<JOCTET, 2> end_of_image = {0xff, JPEG_EOI};
        Source& it = of(info);
        ssize_t got = 0;
        do {
            got = ::pread(it.fd, it.buffer->data(), it.buffer->size(), it.offset);
        } while (got < 0 && errno == EINTR);
        if (got <= 0) {
            reinterpret_cast<JpegGuard*>(info->err)->truncated = true;
            it.base.next_input_byte = end_of_image.data();
            it.base.bytes_in_buffer = end_of_image.size();
            return TRUE;
        }
        it.offset += got;
        it.base.next_input_byte = it.buffer->data();
        it.base.bytes_in_buffer = static_cast<std::size_t>(got);
        return TRUE;
    }
    static void skip(j_decompress_ptr info, long count) {
        Source& it = of(info);
        if (count <= 0) return;
        const auto wanted = static_cast<std::size_t>(count);
        if (wanted <= it.base.bytes_in_buffer) {
            it.base.next_input_byte += wanted;
            it.base.bytes_in_buffer -= wanted;
            return;
        }
        it.offset += static_cast<off_t>(wanted - it.base.bytes_in_buffer);
        it.base.bytes_in_buffer = 0;
    }
    static void start(j_decompress_ptr) {}
    static void finish(j_decompress_ptr) {}
};

void stop_endless_scans(j_common_ptr info) {
    if (!info->is_decompressor) return;
    if (reinterpret_cast<j_decompress_ptr>(info)->input_scan_number <= max_scans) return;
    auto* guard = reinterpret_cast<JpegGuard*>(info->err);
    std::strncpy(guard->message, "too many scans", sizeof guard->message - 1);
    std::longjmp(guard->jump, 1);
}

class JpegRows final : public RowSource {
  public:
    explicit JpegRows(int fd) : buffer_(read_size) {
        info_.err = guard_.install();
        jpeg_create_decompress(&info_);
        source_.base.init_source = Source::start;
        source_.base.fill_input_buffer = Source::fill;
        source_.base.skip_input_data = Source::skip;
        source_.base.resync_to_restart = jpeg_resync_to_restart;
        source_.base.term_source = Source::finish;
        source_.fd = fd;
        source_.buffer = &buffer_;
        info_.src = &source_.base;
        progress_.progress_monitor = stop_endless_scans;
        info_.progress = &progress_;
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
            if (guard_.truncated) return failed();
            if (auto taken = sink.commit(rows); !taken) return taken.error();
        }
        return {};
    }

  private:
    [[nodiscard]] JobError failed() const {
        return {JobErrorCode::decode_failed, "the source image is damaged or not what it claims to be",
                guard_.truncated ? "JPEG data ends early" : guard_.message};
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

    std::vector<JOCTET> buffer_;
    JpegGuard guard_{};
    Source source_{};
    jpeg_progress_mgr progress_{};
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
