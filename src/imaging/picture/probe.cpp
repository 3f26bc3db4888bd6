#include "imaging/picture/probe.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <new>
#include <string>
#include <string_view>
#include <vips/vips8>

#include "codecs/png/metadata.hpp"
#include "core/file.hpp"
#include "core/sniff.hpp"
#include "imaging/picture/declared.hpp"
#include "imaging/picture/load.hpp"
#include "imaging/picture/parts.hpp"
#include "imaging/pixels/vips_runtime.hpp"

namespace tessera::imaging {
namespace {

JobError damaged(std::string why) {
    return {JobErrorCode::decode_failed, "the image can't be read: " + std::move(why), {}};
}

JobError unreadable(std::string complaint) {
    if (is_out_of_memory(complaint)) {
        return {JobErrorCode::resource_exhausted, "reading the image needs too much memory", std::move(complaint)};
    }
    return damaged(complaint.empty() ? "its header is damaged" : std::move(complaint));
}

Result<ImageFormat, JobError> sniff_file(int file) {
    std::array<std::uint8_t, sniff_length> head{};
    const ssize_t got = ::pread(file, head.data(), head.size(), 0);
    if (got < 0) {
        return JobError{JobErrorCode::storage_unavailable, "the image could not be read", from_errno("pread").detail};
    }
    const Sniffed sniffed = sniff(std::span(head).first(static_cast<std::size_t>(got)), true);
    if (sniffed.format) return *sniffed.format;
    return JobError{JobErrorCode::decode_failed, unsupported_image(sniffed).message, {}};
}

std::string colour_space_name(VipsInterpretation interpretation) {
    switch (interpretation) {
        case VIPS_INTERPRETATION_sRGB:
        case VIPS_INTERPRETATION_RGB:
        case VIPS_INTERPRETATION_RGB16: return "srgb";
        case VIPS_INTERPRETATION_B_W:
        case VIPS_INTERPRETATION_GREY16: return "grey";
        case VIPS_INTERPRETATION_CMYK: return "cmyk";
        case VIPS_INTERPRETATION_scRGB: return "scrgb";
        default: return vips_enum_nick(VIPS_TYPE_INTERPRETATION, interpretation);
    }
}

// "mif1" files do not say in their first bytes which codec they hold; the header does.
ImageFormat settle_format(ImageFormat sniffed, VipsImage* image) {
    const char* compression = nullptr;
    const bool isobmff = sniffed == ImageFormat::heif || sniffed == ImageFormat::avif;
    if (!isobmff || vips_image_get_typeof(image, "heif-compression") == 0 ||
        vips_image_get_string(image, "heif-compression", &compression) != 0) {
        return sniffed;
    }
    return std::string_view(compression) == "av1" ? ImageFormat::avif : ImageFormat::heif;
}

ImageInfo read_info(VipsImage* image, ImageFormat sniffed) {
    ImageInfo info;
    info.format = settle_format(sniffed, image);
    info.width = vips_image_get_width(image);
    info.height = vips_image_get_page_height(image);
    if (vips_image_get_orientation_swap(image)) std::swap(info.width, info.height);
    // libvips' own function takes ten thousand and more for one.
    if (vips_image_get_typeof(image, VIPS_META_N_PAGES) != 0) vips_image_get_int(image, VIPS_META_N_PAGES, &info.pages);
    info.pages = std::max(1, info.pages);
    info.has_alpha = vips_image_hasalpha(image) != 0;
    info.bits_per_sample = static_cast<int>(vips_format_sizeof(vips_image_get_format(image)) * 8);
    if (vips_image_get_typeof(image, "heif-bitdepth") != 0) {
        vips_image_get_int(image, "heif-bitdepth", &info.bits_per_sample);
    }
    info.colour_space = colour_space_name(vips_image_get_interpretation(image));
    return info;
}

std::string size_text(const DeclaredSize& size) {
    return std::to_string(size.width) + " x " + std::to_string(size.height);
}

Result<void, JobError> judge_limits(const DeclaredSize& declared, const HeaderLimits& limits) {
    const std::string size = size_text(declared);
    const std::int64_t edge = std::max(declared.width, declared.height);
    if (limits.max_edge && edge > *limits.max_edge) {
        return JobError{
            JobErrorCode::source_too_large,
            "the image is " + size + " pixels; at most " + std::to_string(*limits.max_edge) + " on an edge are allowed",
            {}};
    }
    if (limits.max_pixels && declared.height > 0 && declared.width > *limits.max_pixels / declared.height) {
        return JobError{JobErrorCode::source_too_large,
                        "the image is " + size + " pixels; at most " + std::to_string(*limits.max_pixels / 1'000'000) +
                            " megapixels are allowed",
                        {}};
    }
    return {};
}

// Whatever a header declares, decoders take memory and time for it.
Result<void, JobError> judge_bytes(const Declared& declared, std::uint64_t file_size) {
    if (declared.frame.width < 1 || declared.frame.height < 1) return damaged("its header declares no pixels");
    if (!declared.most_pixels || declared.frame.width <= *declared.most_pixels / declared.frame.height) return {};
    return damaged("its header declares " + size_text(declared.frame) + " pixels, which " + std::to_string(file_size) +
                   " bytes can't hold: they have room for " + std::to_string(*declared.most_pixels) + " at most");
}

Result<ImageInfo, JobError> read_header(int file, ImageFormat format) {
    try {
        const vips::VImage image = load_header(file, format);
        ImageInfo info = read_info(image.get_image(), format);
        vips_error_clear();
        return info;
    } catch (const vips::VError& error) {
        std::string complaint = take_vips_error();
        return unreadable(complaint.empty() ? error.what() : std::move(complaint));
    } catch (const std::bad_alloc&) {
        return unreadable("out of memory");
    }
}

}  // namespace

Result<ImageInfo, JobError> probe(int file, const HeaderLimits& limits) {
    const auto format = sniff_file(file);
    if (!format) return format.error();
    const auto file_size = size_of(file);
    if (!file_size) return JobError{JobErrorCode::storage_unavailable, "the image could not be read", {}};

    // Decoders refuse the very large with a word about themselves, and a client should hear of the limit instead.
    const auto declared = read_declared(file, *format);
    if (declared) {
        if (auto judged = judge_limits(declared->canvas, limits); !judged) return judged.error();
        if (auto judged = judge_bytes(*declared, *file_size); !judged) return judged.error();
    }
    if (*format == ImageFormat::png) {
        if (auto checked = codecs::check_png_metadata(file); !checked) return checked.error();
    }
    if (has_too_many_parts(file, *format)) return damaged("it is made of too many parts");
    auto info = read_header(file, *format);
    if (!info) return info;
    if (info->width < 1 || info->height < 1) return damaged("its header declares no pixels");
    if (auto judged = judge_limits({info->width, info->height}, limits); !judged) return judged.error();
    return info;
}

}  // namespace tessera::imaging
