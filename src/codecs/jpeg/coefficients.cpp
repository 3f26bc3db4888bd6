#include "codecs/jpeg/coefficients.hpp"

#include <cstdlib>

namespace tessera::codecs {
namespace {

// A progressive layout, each scan with tables of its own: colours in one go, lightness by frequency and without its
// last bit, then that bit. Of a dozen such layouts this gave the smallest tiles of photographs.
constexpr std::array<jpeg_scan_info, 6> thorough_scans = {{
    {3, {0, 1, 2}, 0, 0, 0, 0},
    {1, {0}, 1, 8, 0, 1},
    {1, {1}, 1, 63, 0, 0},
    {1, {2}, 1, 63, 0, 0},
    {1, {0}, 9, 63, 0, 1},
    {1, {0}, 1, 63, 1, 0},
}};

}  // namespace

JpegCoefficients::JpegCoefficients() {
    in_.err = out_.err = guard_.install();
    jpeg_create_decompress(&in_);
    jpeg_create_compress(&out_);
}

JpegCoefficients::~JpegCoefficients() {
    jpeg_destroy_compress(&out_);
    jpeg_destroy_decompress(&in_);
    std::free(written_);
}

bool JpegCoefficients::read(std::span<const std::uint8_t> file, int tile_size) {
    return try_read(file, tile_size) && !guard_.truncated && !guard_.ended && know_layout();
}

// The next two may be left by a jump: no object with a destructor lives in them.
bool JpegCoefficients::try_read(std::span<const std::uint8_t> file, int tile_size) {
    if (setjmp(guard_.jump) != 0) return false;
    jpeg_mem_src(&in_, file.data(), file.size());
    jpeg_read_header(&in_, TRUE);
    const auto size = static_cast<JDIMENSION>(tile_size);
    if (in_.image_width != size || in_.image_height != size) return false;
    arrays_ = jpeg_read_coefficients(&in_);
    return true;
}

bool JpegCoefficients::try_write(Effort effort) {
    if (setjmp(guard_.jump) != 0) return false;
    jpeg_mem_dest(&out_, &written_, &written_size_);
    jpeg_copy_critical_parameters(&in_, &out_);
    if (effort == Effort::thorough && in_.num_components == 3) {
        out_.scan_info = thorough_scans.data();
        out_.num_scans = static_cast<int>(thorough_scans.size());
    }
    jpeg_write_coefficients(&out_, arrays_);
    jpeg_finish_compress(&out_);
    return true;
}

bool JpegCoefficients::know_layout() {
    const jpeg_component_info* parts = in_.comp_info;
    for (int i = 0; i < in_.num_components; ++i) {
        if (parts[i].quant_table == nullptr) return false;  // no scan had this plane
    }
    if (in_.num_components == 1) {
        layout_ = PixelLayout::gray;
        return true;
    }
    if (in_.num_components != 3 || in_.jpeg_color_space != JCS_YCbCr) return false;
    for (const int i : {1, 2}) {
        if (parts[i].h_samp_factor != 1 || parts[i].v_samp_factor != 1) return false;
    }
    const bool halved = parts[0].h_samp_factor == 2 && parts[0].v_samp_factor == 2;
    layout_ = halved ? PixelLayout::ycbcr420 : PixelLayout::ycbcr444;
    return halved || (parts[0].h_samp_factor == 1 && parts[0].v_samp_factor == 1);
}

std::int16_t* JpegCoefficients::block(int plane, int column, int row) {
    const JBLOCKARRAY rows = (*in_.mem->access_virt_barray)(reinterpret_cast<j_common_ptr>(&in_), arrays_[plane],
                                                            static_cast<JDIMENSION>(row), 1, TRUE);
    return rows[0][column];
}

std::span<const std::uint16_t> JpegCoefficients::quantisation(int plane) const {
    return std::span(in_.comp_info[plane].quant_table->quantval);
}

std::optional<std::vector<std::uint8_t>> JpegCoefficients::write(Effort effort) {
    if (!try_write(effort)) return std::nullopt;
    return std::vector<std::uint8_t>(written_, written_ + written_size_);
}

}  // namespace tessera::codecs
