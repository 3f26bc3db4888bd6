#include "imaging/probe.hpp"

#include <unistd.h>
#include <vips/vips.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <string_view>

#include "core/file.hpp"
#include "core/sniff.hpp"
#include "imaging/jpeg/header.hpp"
#include "imaging/png/metadata.hpp"
#include "imaging/vips_runtime.hpp"

namespace tessera::imaging {
namespace {

struct Unref {
    void operator()(gpointer object) const { g_object_unref(object); }
};
using Source = std::unique_ptr<VipsSource, Unref>;
using Image = std::unique_ptr<VipsImage, Unref>;

JobError damaged(std::string why) {
    return {JobErrorCode::decode_failed, "the image can't be read: " + std::move(why), {}};
}

JobError from_vips() {
    std::string complaint = take_vips_error();
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

Image open_header(VipsSource* source, ImageFormat format) {
    VipsImage* image = nullptr;
    switch (format) {
        case ImageFormat::jpeg: vips_jpegload_source(source, &image, nullptr); break;
        case ImageFormat::png: vips_pngload_source(source, &image, nullptr); break;
        case ImageFormat::webp: vips_webpload_source(source, &image, nullptr); break;
        case ImageFormat::gif: vips_gifload_source(source, &image, nullptr); break;
        case ImageFormat::avif:
        case ImageFormat::heif: vips_heifload_source(source, &image, nullptr); break;
        case ImageFormat::jxl: vips_jxlload_source(source, &image, nullptr); break;
    }
    return Image(image);
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
    info.pages = std::max(1, vips_image_get_n_pages(image));
    info.has_alpha = vips_image_hasalpha(image) != 0;
    info.bits_per_sample = static_cast<int>(vips_format_sizeof(vips_image_get_format(image)) * 8);
    if (vips_image_get_typeof(image, "heif-bitdepth") != 0) {
        vips_image_get_int(image, "heif-bitdepth", &info.bits_per_sample);
    }
    info.colour_space = colour_space_name(vips_image_get_interpretation(image));
    return info;
}

// The fewest bytes that could hold such a picture, where the format's arithmetic gives a bound that no honest file is
// under: a JPEG spends at least a bit on each block of 8 x 8, and deflate shrinks nothing by more than 1032.
std::int64_t fewest_bytes(const ImageInfo& info) {
    const std::int64_t pixels = info.width * info.height;
    switch (info.format) {
        case ImageFormat::jpeg: return pixels / 64 / 8;
        case ImageFormat::png: return pixels / 8 / 1032;
        default: return 0;
    }
}

struct Size {
    std::int64_t width;
    std::int64_t height;
    [[nodiscard]] std::string text() const { return std::to_string(width) + " x " + std::to_string(height); }
};

// The size as the file itself declares it, where that is easy to read: decoders refuse the very large with a word about
// themselves, and a client should hear of the limit instead.
std::optional<Size> declared_size(int file, ImageFormat format) {
    if (format == ImageFormat::jpeg) {
        const auto frame = read_jpeg_frame(file);
        return frame ? std::optional(Size{frame->width, frame->height}) : std::nullopt;
    }
    std::array<std::uint8_t, 8> edges{};  // of the PNG header, which has its fixed place
    if (format != ImageFormat::png || ::pread(file, edges.data(), edges.size(), 16) != 8) return std::nullopt;
    const auto edge = [&](std::size_t at) {
        return std::int64_t{edges[at]} << 24 | edges[at + 1] << 16 | edges[at + 2] << 8 | edges[at + 3];
    };
    return Size{edge(0), edge(4)};
}

Result<void, JobError> judge(const Size& declared, const HeaderLimits& limits) {
    const std::string size = declared.text();
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

Result<void, JobError> judge(const ImageInfo& info, std::uint64_t file_size) {
    if (info.width < 1 || info.height < 1) return damaged("its header declares no pixels");
    if (fewest_bytes(info) > static_cast<std::int64_t>(file_size)) {
        return damaged("its header declares " + Size{info.width, info.height}.text() + " pixels, which " +
                       std::to_string(file_size) + " bytes can't hold");
    }
    return {};
}

}  // namespace

Result<ImageInfo, JobError> probe(int file, const HeaderLimits& limits) {
    const auto format = sniff_file(file);
    if (!format) return format.error();
    const auto file_size = size_of(file);
    if (!file_size) return JobError{JobErrorCode::storage_unavailable, "the image could not be read", {}};

    if (const auto declared = declared_size(file, *format)) {
        if (auto judged = judge(*declared, limits); !judged) return judged.error();
    }
    if (*format == ImageFormat::png) {
        if (auto checked = check_png_metadata(file); !checked) return checked.error();
    }
    ::lseek(file, 0, SEEK_SET);
    const Source source(vips_source_new_from_descriptor(file));
    if (!source) return from_vips();
    const Image image = open_header(source.get(), *format);
    if (!image) return from_vips();

    ImageInfo info = read_info(image.get(), *format);
    vips_error_clear();
    if (auto judged = judge(Size{info.width, info.height}, limits); !judged) return judged.error();
    if (auto judged = judge(info, *file_size); !judged) return judged.error();
    return info;
}

}  // namespace tessera::imaging
