#include "imaging/save/encode/jpeg.hpp"

#include <array>
#include <string>
#include <vector>

#include "codecs/jpeg/libjpeg_guard.hpp"
#include "codecs/jpeg/own_codes.hpp"
#include "imaging/pixels/pour.hpp"

namespace tessera::imaging {
namespace {

using vips::VImage;

// Where libjpeg writes.
struct Destination {
    jpeg_destination_mgr base;  // first, so that libjpeg's pointer to it is a pointer to us
    WriteBytes write;
    bool refused;
    std::array<JOCTET, std::size_t{32} << 10> buffer;

    static Destination& of(j_compress_ptr info) { return *reinterpret_cast<Destination*>(info->dest); }

    static void start(j_compress_ptr info) {
        Destination& it = of(info);
        it.base.next_output_byte = it.buffer.data();
        it.base.free_in_buffer = it.buffer.size();
    }
    // Once refused, the rest is dropped: there is no way out of libjpeg that passes our destructors.
    void hand_over(std::size_t size) { refused = refused || !write(std::span(buffer).first(size)); }

    static boolean make_room(j_compress_ptr info) {
        of(info).hand_over(of(info).buffer.size());
        start(info);
        return TRUE;
    }
    static void finish(j_compress_ptr info) {
        of(info).hand_over(of(info).buffer.size() - of(info).base.free_in_buffer);
    }
};

class JpegWriter {
  public:
    explicit JpegWriter(WriteBytes write) {
        info_.err = guard_.install();
        jpeg_create_compress(&info_);
        destination_.base.init_destination = Destination::start;
        destination_.base.empty_output_buffer = Destination::make_room;
        destination_.base.term_destination = Destination::finish;
        destination_.write = std::move(write);
        info_.dest = &destination_.base;
    }
    JpegWriter(const JpegWriter&) = delete;
    JpegWriter& operator=(const JpegWriter&) = delete;
    ~JpegWriter() { jpeg_destroy_compress(&info_); }

    [[nodiscard]] bool is_wanted() const { return !destination_.refused; }
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
    Destination destination_{};
    jpeg_compress_struct info_{};
};

[[noreturn]] void fail(const std::string& why) {
    throw vips::VError("jpeg: " + why);
}

void write_rows(const VImage& image, const JpegSettings& settings, WriteBytes write) {
    const bool is_plain = image.format() == VIPS_FORMAT_UCHAR && (image.bands() == 1 || image.bands() == 3);
    if (!is_plain) fail("neither eight-bit colours nor greys");
    JpegWriter writer(std::move(write));
    if (!writer.start(image.width(), image.height(), image.bands(), settings)) fail(writer.complaint());
    const bool wanted = pour(image, [&](const RowBlock& rows) {
        for (int i = 0; i < rows.count; ++i) {
            if (!writer.add(rows.row(i))) fail(writer.complaint());
        }
        return writer.is_wanted();
    });
    if (wanted && !writer.finish()) fail(writer.complaint());
}

}  // namespace

void encode_jpeg(const VImage& image, const JpegSettings& settings, WriteBytes write) {
    if (!settings.own_codes) {
        write_rows(image, settings, std::move(write));
        return;
    }
    std::vector<std::uint8_t> file;
    write_rows(image, settings, [&](std::span<const std::uint8_t> bytes) {
        file.insert(file.end(), bytes.begin(), bytes.end());
        return true;
    });
    const auto smaller = codecs::with_own_codes(file);
    if (!smaller) fail("what libjpeg wrote can't be read");
    write(*smaller);
}

}  // namespace tessera::imaging
