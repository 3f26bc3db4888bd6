#include "imaging/save/encode/av1.hpp"

#include <aom/aom_encoder.h>
#include <aom/aomcx.h>

#include <cmath>
#include <cstdlib>
#include <string_view>
#include <utility>
#include <vips/vips8>

#include "imaging/save/encode/av1_level.hpp"

namespace tessera::imaging {
namespace {

// Numbers of ITU-T H.273.
constexpr int bt709_primaries = 1;
constexpr int srgb_transfer = 13;

class Encoder {
  public:
    Encoder(const aom_image_t& planes, const Av1Settings& settings, const LevelAim& aim)
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
        aim_at(aim, config);
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
        if (settings.as_screen) {
            set(AV1E_SET_TUNE_CONTENT, static_cast<int>(AOM_CONTENT_SCREEN));
            set(AV1E_SET_ENABLE_INTRABC, 0);
        }
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

struct Coded {
    std::string bytes;
    int index = 0;
};

Coded encode_once(const aom_image_t& planes, const Av1Settings& settings, const LevelAim& aim) {
    Encoder encoder(planes, settings, aim);
    encoder.apply(settings);
    Coded coded{encoder.encode(planes)};
    coded.index = encoder.index();
    return coded;
}

}  // namespace

// What is between two levels is encoded again where libaom took another step: half a step beside it, and as the
// screen's that the picture did not look like, or did.
std::string encode_av1(const aom_image_t& planes, const Av1Settings& settings) {
    const bool is_between = is_between_levels(settings.level);
    const int wanted = step_index_at(settings.level);
    LevelAim aim{settings.level, settings.as_screen || (is_between && is_screen_to_libaom(planes))};
    Coded nearest = encode_once(planes, settings, aim);
    constexpr double half_a_step = 0.125;
    int missed_by = nearest.index - wanted;
    bool is_beside = false;
    for (int tries = 1; is_between && tries < settings.most_tries && nearest.index != wanted; ++tries) {
        is_beside = std::abs(missed_by) == 1 && !is_beside;
        if (is_beside) {
            aim.level -= std::copysign(half_a_step, missed_by);
        } else {
            aim = {settings.level, !aim.is_screen};
        }
        Coded coded = encode_once(planes, settings, aim);
        missed_by = coded.index - wanted;
        if (std::abs(missed_by) < std::abs(nearest.index - wanted)) nearest = std::move(coded);
    }
    return std::move(nearest.bytes);
}

}  // namespace tessera::imaging
