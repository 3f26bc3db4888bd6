#include "imaging/save/encode/av1.hpp"

#include <aom/aom_encoder.h>
#include <aom/aomcx.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string_view>
#include <vips/vips8>

namespace tessera::imaging {
namespace {

// Numbers of ITU-T H.273.
constexpr int bt709_primaries = 1;
constexpr int srgb_transfer = 13;

// The step at each of libaom's levels, of what ten bits hold; by section 7.12.2 of AV1's specification, and evenly
// spaced between two levels, all but a hair.
constexpr std::array<int, 64> steps_of_ten_bits{
    4,    16,   27,   40,   55,   71,   88,   105,  122,  140,  158,  177,  195,  213,  231,  249,
    267,  284,  302,  319,  337,  354,  371,  388,  409,  441,  474,  506,  539,  571,  604,  652,
    700,  749,  797,  857,  922,  986,  1058, 1138, 1218, 1314, 1411, 1519, 1631, 1759, 1895, 2039,
    2199, 2371, 2555, 2755, 2971, 3203, 3455, 3731, 4028, 4348, 4692, 5068, 5476, 5916, 6512, 7312};

constexpr int indices_to_a_level = 4;  // of AV1's own steps

// libaom picks an index between two levels where it is asked for a size: the one by which it expects that. What is on
// the screen it expects to take half as much. It can't go wrong by more than the levels on either side.
void aim_between_levels(aom_codec_enc_cfg_t& config, double level, bool is_screen) {
    const double whole = std::floor(level);
    const auto number = static_cast<std::size_t>(whole);
    const double step = std::lerp(steps_of_ten_bits.at(number), steps_of_ten_bits.at(number + 1), level - whole) / 16;
    const double blocks = std::ceil(config.g_w / 16.0) * std::ceil(config.g_h / 16.0);
    const double bits = (is_screen ? 1e6 : 2e6) / 512 / step * blocks;
    // The first picture may have half of what the buffer holds at the beginning, which is told in milliseconds.
    constexpr double most_kilobits = 2e6;
    const double pairs_of_milliseconds = std::ceil(bits / most_kilobits);
    config.rc_end_usage = AOM_CBR;
    config.rc_buf_initial_sz = static_cast<unsigned>(2 * pairs_of_milliseconds);
    config.rc_target_bitrate = static_cast<unsigned>(std::lround(bits / pairs_of_milliseconds));
    config.rc_min_quantizer = static_cast<unsigned>(number);
    config.rc_max_quantizer = static_cast<unsigned>(number + 1);
}

bool is_between_levels(double level) {
    return level != std::floor(level);
}

class Encoder {
  public:
    Encoder(const aom_image_t& planes, const Av1Settings& settings, bool is_screen)
        : is_halved_(planes.x_chroma_shift != 0) {
        aom_codec_iface_t* av1 = aom_codec_av1_cx();
        const unsigned usage = settings.for_films ? AOM_USAGE_GOOD_QUALITY : AOM_USAGE_ALL_INTRA;
        aom_codec_enc_cfg_t config;
        if (aom_codec_enc_config_default(av1, &config, usage) != AOM_CODEC_OK) throw vips::VError("avif: no encoder");
        config.g_w = planes.d_w;
        config.g_h = planes.d_h;
        config.g_limit = 1;  // which makes a still picture of it
        config.g_lag_in_frames = 0;
        config.g_profile = is_halved_ ? 0 : 1;
        config.g_bit_depth = static_cast<aom_bit_depth_t>(planes.bit_depth);
        config.g_input_bit_depth = planes.bit_depth;
        config.g_threads = static_cast<unsigned>(settings.threads);
        config.monochrome = planes.monochrome != 0 ? 1 : 0;
        config.rc_end_usage = AOM_Q;
        config.rc_min_quantizer = config.rc_max_quantizer = static_cast<unsigned>(settings.level);
        if (is_between_levels(settings.level)) aim_between_levels(config, settings.level, is_screen);
        const aom_codec_flags_t deep = planes.bit_depth > 8 ? AOM_CODEC_USE_HIGHBITDEPTH : 0;
        if (aom_codec_enc_init(&codec_, av1, &config, deep) != AOM_CODEC_OK) fail();
    }
    Encoder(const Encoder&) = delete;
    Encoder& operator=(const Encoder&) = delete;
    ~Encoder() { aom_codec_destroy(&codec_); }

    void apply(const Av1Settings& settings) {
        set(AOME_SET_CPUUSED, settings.speed);
        set(AOME_SET_CQ_LEVEL, static_cast<int>(settings.level));
        set(AOME_SET_TUNING, static_cast<int>(AOM_TUNE_SSIM));
        set(AV1E_SET_ROW_MT, settings.threads > 1 ? 1 : 0);
        set(AV1E_SET_LOSSLESS, settings.lossless ? 1 : 0);
        // Nobody looks at the encoder's own picture.
        if (!settings.for_films) set(AV1E_SET_SKIP_POSTPROC_FILTERING, 1);
        set(AV1E_SET_COLOR_RANGE, static_cast<int>(AOM_CR_FULL_RANGE));
        set(AV1E_SET_COLOR_PRIMARIES, bt709_primaries);
        set(AV1E_SET_TRANSFER_CHARACTERISTICS, srgb_transfer);
        set(AV1E_SET_MATRIX_COEFFICIENTS, static_cast<int>(settings.is_exact_colour ? AOM_CICP_MC_IDENTITY
                                                           : is_halved_             ? AOM_CICP_MC_BT_601
                                                                                    : AOM_CICP_MC_BT_709));
        for (const Av1Tool& tool : settings.tools) aom_codec_set_option(&codec_, tool.name, tool.value);
    }

    std::string encode(const aom_image_t& planes) {
        if (aom_codec_encode(&codec_, &planes, 0, 1, 0) != AOM_CODEC_OK) fail();
        std::string coded;
        take(coded);
        if (aom_codec_encode(&codec_, nullptr, 0, 1, 0) != AOM_CODEC_OK) fail();
        take(coded);
        return coded;
    }

    // AV1's own index of the step that was taken.
    int index() {
        int index = -1;
        set(AOME_GET_LAST_QUANTIZER, &index);
        return index;
    }

  private:
    template <typename Value>
    void set(int control, Value value) {
        if (aom_codec_control(&codec_, control, value) != AOM_CODEC_OK) fail();
    }

    void take(std::string& coded) {
        constexpr std::string_view temporal_delimiter("\x12\0", 2);  // which a picture in a file does without
        aom_codec_iter_t next = nullptr;
        while (const aom_codec_cx_pkt_t* packet = aom_codec_get_cx_data(&codec_, &next)) {
            if (packet->kind != AOM_CODEC_CX_FRAME_PKT) continue;
            std::string_view data(static_cast<const char*>(packet->data.frame.buf), packet->data.frame.sz);
            if (data.starts_with(temporal_delimiter)) data.remove_prefix(temporal_delimiter.size());
            coded += data;
        }
    }

    [[noreturn]] void fail() {
        const char* detail = aom_codec_error_detail(&codec_);
        throw vips::VError(std::string("avif: ") + (detail != nullptr ? detail : aom_codec_error(&codec_)));
    }

    bool is_halved_;  // colour, or that of grey
    aom_codec_ctx_t codec_{};
};

}  // namespace

std::string encode_av1(const aom_image_t& planes, const Av1Settings& settings) {
    std::string coded;
    for (const bool is_screen : {settings.is_drawn, !settings.is_drawn}) {
        Encoder encoder(planes, settings, is_screen);
        encoder.apply(settings);
        coded = encoder.encode(planes);
        if (!is_between_levels(settings.level)) break;
        if (encoder.index() == std::lround(settings.level * indices_to_a_level)) break;
    }
    return coded;
}

}  // namespace tessera::imaging
