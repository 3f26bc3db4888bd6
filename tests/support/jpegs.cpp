#include "support/jpegs.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <numbers>
#include <random>

#include "codecs/jpeg/libjpeg_guard.hpp"

namespace tessera::test {
namespace {

using codecs::JpegGuard;

constexpr std::array<jpeg_scan_info, 8> band_scans = {{{3, {0, 1, 2}, 0, 0, 0, 0},
                                                       {1, {0}, 1, 2, 0, 0},
                                                       {1, {1}, 1, 9, 0, 0},
                                                       {1, {0}, 3, 20, 0, 0},
                                                       {1, {2}, 1, 63, 0, 0},
                                                       {1, {0}, 21, 62, 0, 0},
                                                       {1, {1}, 10, 63, 0, 0},
                                                       {1, {0}, 63, 63, 0, 0}}};

constexpr std::array<jpeg_scan_info, 15> bit_scans = {{{1, {0}, 0, 0, 0, 2},
                                                       {2, {1, 2}, 0, 0, 0, 1},
                                                       {1, {0}, 1, 3, 0, 3},
                                                       {1, {0}, 4, 63, 0, 2},
                                                       {1, {0}, 0, 0, 2, 1},
                                                       {1, {0}, 1, 3, 3, 2},
                                                       {1, {1}, 1, 63, 0, 1},
                                                       {1, {2}, 1, 63, 0, 2},
                                                       {1, {0}, 1, 63, 2, 1},
                                                       {3, {0, 1, 2}, 0, 0, 1, 0},
                                                       {1, {2}, 1, 40, 2, 1},
                                                       {1, {2}, 41, 63, 2, 1},
                                                       {1, {0}, 1, 63, 1, 0},
                                                       {1, {1}, 1, 63, 1, 0},
                                                       {1, {2}, 1, 63, 1, 0}}};

constexpr std::array<jpeg_scan_info, 3> separate_scans = {
    {{1, {1}, 0, 63, 0, 0}, {1, {0}, 0, 63, 0, 0}, {1, {2}, 0, 63, 0, 0}}};

void choose_scans(jpeg_compress_struct& info, JpegScans scans) {
    const auto use = [&](const auto& list) {
        info.scan_info = list.data();
        info.num_scans = static_cast<int>(list.size());
    };
    if (scans == JpegScans::progressive) jpeg_simple_progression(&info);
    if (info.num_components != 3) return;
    if (scans == JpegScans::each) use(separate_scans);
    if (scans == JpegScans::bands) use(band_scans);
    if (scans == JpegScans::bits) use(bit_scans);
}

// Waves with a grain, and a part without, so that there are blocks of every kind.
std::string pixels_of(const JpegKind& kind) {
    std::mt19937 random(static_cast<unsigned>(kind.width * 1000 + kind.height));
    std::string pixels;
    for (int y = 0; y < kind.height; ++y) {
        for (int x = 0; x < kind.width; ++x) {
            for (int band = 0; band < kind.bands; ++band) {
                const double wave = 128 + 70 * std::sin(x * 0.11 + band) + 50 * std::sin(y * 0.19 - band);
                const bool is_grainy = (x / 40 + y / 24) % 2 == 0;
                const double grain = is_grainy ? static_cast<double>(random() % 61) - 30 : 0;
                pixels += static_cast<char>(static_cast<int>(std::clamp(wave + grain, 0.0, 255.0)));
            }
        }
    }
    return pixels;
}

struct Reader {
    JpegGuard guard{};
    jpeg_decompress_struct info{};
    jvirt_barray_ptr* arrays = nullptr;

    Reader() {
        info.err = guard.install();
        jpeg_create_decompress(&info);
    }
    Reader(const Reader&) = delete;
    Reader& operator=(const Reader&) = delete;
    ~Reader() { jpeg_destroy_decompress(&info); }

    // May be left by a jump.
    bool read(const unsigned char* bytes, std::size_t size) {
        if (setjmp(guard.jump) != 0) return false;
        jpeg_mem_src(&info, bytes, size);
        jpeg_read_header(&info, TRUE);
        const bool is_plain =
            info.num_components == 1 ||
            (info.num_components == 3 && (info.jpeg_color_space == JCS_YCbCr || info.jpeg_color_space == JCS_RGB));
        constexpr unsigned most_pixels = 1U << 20;
        if (!is_plain || std::size_t{info.image_width} * info.image_height > most_pixels) return false;
        arrays = jpeg_read_coefficients(&info);
        return true;
    }
    const JCOEF* block(int part, JDIMENSION row, JDIMENSION column) {
        const JBLOCKARRAY rows =
            (*info.mem->access_virt_barray)(reinterpret_cast<j_common_ptr>(&info), arrays[part], row, 1, FALSE);
        return rows[0][column];
    }
};

using Waves = std::array<std::array<double, 8>, 8>;  // by frequency, then place

Waves waves_of(int count) {
    Waves waves{};
    for (std::size_t frequency = 0; frequency < 8; ++frequency) {
        for (std::size_t at = 0; at < 8; ++at) {
            const double angle = static_cast<double>((2 * at + 1) * frequency) * std::numbers::pi / (2 * count);
            waves[frequency][at] = frequency == 0 ? 1 : std::numbers::sqrt2 * std::cos(angle);
        }
    }
    return waves;
}

struct Plane {
    std::size_t stride = 0;
    std::vector<int> samples;
};

void put_block(const JCOEF* block, const UINT16* steps, const Waves& across, const Waves& down, std::size_t width,
               std::size_t height, int* out, std::size_t stride) {
    for (std::size_t y = 0; y < height; ++y) {
        for (std::size_t x = 0; x < width; ++x) {
            double sum = 0;
            for (std::size_t v = 0; v < height; ++v) {
                for (std::size_t u = 0; u < width; ++u) {
                    if (block[8 * v + u] == 0) continue;
                    sum += block[8 * v + u] * steps[8 * v + u] * across[u][x] * down[v][y];
                }
            }
            out[y * stride + x] = static_cast<int>(std::clamp(std::floor(sum / 8 + 128.5), 0.0, 255.0));
        }
    }
}

std::optional<Plane> plane_of(Reader& reader, int index, int shrink) {
    const jpeg_component_info& part = reader.info.comp_info[index];
    if (part.quant_table == nullptr) return std::nullopt;
    const int across = 8 / shrink * reader.info.max_h_samp_factor / part.h_samp_factor;
    const int down = 8 / shrink * reader.info.max_v_samp_factor / part.v_samp_factor;
    if (across > 8 || down > 8 || reader.info.max_h_samp_factor % part.h_samp_factor != 0 ||
        reader.info.max_v_samp_factor % part.v_samp_factor != 0) {
        return std::nullopt;
    }
    const auto width = static_cast<std::size_t>(across);
    const auto height = static_cast<std::size_t>(down);
    const Waves waves_across = waves_of(across);
    const Waves waves_down = waves_of(down);
    Plane plane;
    plane.stride = part.width_in_blocks * width;
    plane.samples.resize(plane.stride * part.height_in_blocks * height);
    for (JDIMENSION row = 0; row < part.height_in_blocks; ++row) {
        for (JDIMENSION column = 0; column < part.width_in_blocks; ++column) {
            put_block(reader.block(index, row, column), part.quant_table->quantval, waves_across, waves_down, width,
                      height, plane.samples.data() + row * height * plane.stride + column * width, plane.stride);
        }
    }
    return plane;
}

char level(double value) {
    return static_cast<char>(static_cast<int>(std::clamp(std::floor(value + 0.5), 0.0, 255.0)));
}

}  // namespace

std::string JpegKind::name() const {
    static constexpr std::array names = {"one scan", "a scan each", "progressive", "bands", "bits"};
    return std::to_string(width) + " x " + std::to_string(height) + ", " + std::to_string(bands) + " bands, " +
           std::to_string(across) + " : " + std::to_string(down) + ", quality " + std::to_string(quality) +
           ", restarts " + std::to_string(restart_units) + ", " + names[static_cast<std::size_t>(scans)];
}

std::string make_jpeg(const JpegKind& kind) {
    const std::string pixels = pixels_of(kind);
    JpegGuard guard{};
    jpeg_compress_struct info{};
    unsigned char* written = nullptr;
    unsigned long written_size = 0;
    info.err = guard.install();
    if (setjmp(guard.jump) != 0) std::abort();
    jpeg_create_compress(&info);
    jpeg_mem_dest(&info, &written, &written_size);
    info.image_width = static_cast<JDIMENSION>(kind.width);
    info.image_height = static_cast<JDIMENSION>(kind.height);
    info.input_components = kind.bands;
    info.in_color_space = kind.bands == 1 ? JCS_GRAYSCALE : JCS_RGB;
    jpeg_set_defaults(&info);
    if (kind.is_rgb) jpeg_set_colorspace(&info, JCS_RGB);
    jpeg_set_quality(&info, kind.quality, TRUE);
    info.comp_info[0].h_samp_factor = kind.across;
    info.comp_info[0].v_samp_factor = kind.down;
    info.optimize_coding = kind.optimised ? TRUE : FALSE;
    info.restart_interval = static_cast<unsigned>(kind.restart_units);
    choose_scans(info, kind.scans);
    jpeg_start_compress(&info, TRUE);
    const auto stride = static_cast<std::size_t>(kind.width * kind.bands);
    while (info.next_scanline < info.image_height) {
        auto* row = reinterpret_cast<JSAMPLE*>(const_cast<char*>(pixels.data() + info.next_scanline * stride));
        jpeg_write_scanlines(&info, &row, 1);
    }
    jpeg_finish_compress(&info);
    jpeg_destroy_compress(&info);
    std::string file(reinterpret_cast<const char*>(written), written_size);
    std::free(written);
    return file;
}

std::optional<ReducedPicture> reduced_by_definition(std::string_view file, int shrink) {
    Reader reader;
    if (!reader.read(reinterpret_cast<const unsigned char*>(file.data()), file.size())) return std::nullopt;
    ReducedPicture picture;
    picture.width = (static_cast<int>(reader.info.image_width) + shrink - 1) / shrink;
    picture.height = (static_cast<int>(reader.info.image_height) + shrink - 1) / shrink;
    picture.bands = reader.info.num_components;
    picture.is_damaged = reader.guard.base.num_warnings > 0;
    std::vector<Plane> planes;
    for (int i = 0; i < picture.bands; ++i) {
        auto plane = plane_of(reader, i, shrink);
        if (!plane) return std::nullopt;
        planes.push_back(std::move(*plane));
    }
    for (int y = 0; y < picture.height; ++y) {
        for (int x = 0; x < picture.width; ++x) {
            const auto sample = [&](std::size_t i) {
                return planes[i].samples[static_cast<std::size_t>(y) * planes[i].stride + static_cast<std::size_t>(x)];
            };
            if (picture.bands == 1 || reader.info.jpeg_color_space == JCS_RGB) {
                for (std::size_t i = 0; i < planes.size(); ++i) picture.pixels += level(sample(i));
                continue;
            }
            const int light = sample(0);
            const int blue = sample(1) - 128;
            const int red = sample(2) - 128;
            picture.pixels += level(light + 1.402 * red);
            picture.pixels += level(light - 0.344136 * blue - 0.714136 * red);
            picture.pixels += level(light + 1.772 * blue);
        }
    }
    return picture;
}

}  // namespace tessera::test
