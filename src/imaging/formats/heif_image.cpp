#include "imaging/formats/heif_image.hpp"

#include <libheif/heif.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "codecs/bytes/mapped_file.hpp"
#include "codecs/heif/items.hpp"
#include "core/owned.hpp"
#include "imaging/formats/picture_model.hpp"
#include "imaging/pixels/row_image.hpp"

namespace tessera::imaging {
namespace {

using vips::VImage;

using Context = Owned<heif_context, heif_context_free>;
using Handle = Owned<heif_image_handle, heif_image_handle_release>;
using Picture = Owned<heif_image, heif_image_release>;
using Options = Owned<heif_decoding_options, heif_decoding_options_free>;
using Bytes = std::vector<std::uint8_t>;

// Through libvips' own list of complaints, which is made printable: libheif's have bytes of the file in them.
[[noreturn]] void fail(const char* why) {
    vips_error("heif", "%s", why);
    throw vips::VError();
}

void check(const heif_error& error) {
    if (error.code != heif_error_Ok) fail(error.message);
}

codecs::MappedFile map(int fd) {
    auto mapped = codecs::MappedFile::open(fd);
    if (!mapped) fail(mapped.error().detail.c_str());
    return std::move(*mapped);
}

struct Size {
    int width = 0;
    int height = 0;
    bool operator==(const Size&) const = default;
};

Size size_after(const codecs::HeifTurns& turns, Size stored) {
    const Size cropped = turns.crop ? Size{turns.crop->width, turns.crop->height} : stored;
    return turns.orientation >= 5 ? Size{cropped.height, cropped.width} : cropped;
}

// A file that is open, and its primary item.
class HeifFile {
  public:
    explicit HeifFile(int fd) : mapped_(map(fd)), context_(heif_context_alloc()) {
        if (!context_) fail("out of memory");
        const codecs::FileBytes bytes = mapped_.bytes();
        check(heif_context_read_from_memory_without_copy(context_.get(), bytes.data(), bytes.size(), nullptr));
        heif_image_handle* handle = nullptr;
        check(heif_context_get_primary_image_handle(context_.get(), &handle));
        primary_.reset(handle);
    }

    [[nodiscard]] Size shown_size() const {
        const Size stored = stored_size();
        const Size shown = {heif_image_handle_get_width(primary_.get()), heif_image_handle_get_height(primary_.get())};
        if (shown != stored) return shown;
        // libheif 1.15 forgets turns and crops that the file names before the size, as cameras of Sony do; it makes
        // them all the same.
        const auto turns = codecs::primary_item_turns(mapped_.bytes(), stored.width, stored.height);
        return turns ? size_after(*turns, stored) : stored;
    }
    [[nodiscard]] Size stored_size() const {
        return {heif_image_handle_get_ispe_width(primary_.get()), heif_image_handle_get_ispe_height(primary_.get())};
    }
    // What is left for us to do: libheif 1.15 mirrors only pictures of 8 bits.
    [[nodiscard]] std::optional<codecs::HeifTurns> turns_for_us() const {
        if (!is_deep()) return std::nullopt;
        const Size stored = stored_size();
        const auto turns = codecs::primary_item_turns(mapped_.bytes(), stored.width, stored.height);
        return turns && turns->mirrored ? turns : std::nullopt;
    }
    [[nodiscard]] bool has_alpha() const { return heif_image_handle_has_alpha_channel(primary_.get()) != 0; }
    [[nodiscard]] int bands() const { return has_alpha() ? 4 : 3; }
    [[nodiscard]] bool is_premultiplied() const {
        return has_alpha() && heif_image_handle_is_premultiplied_alpha(primary_.get()) != 0;
    }
    // libheif does not know it of some that are put together from others; it makes eight of any.
    [[nodiscard]] int bits() const {
        const int known = heif_image_handle_get_luma_bits_per_pixel(primary_.get());
        return known > 0 && known <= 16 ? known : 8;
    }
    [[nodiscard]] bool is_deep() const { return bits() > 8; }
    [[nodiscard]] int pictures() const { return heif_context_get_number_of_top_level_images(context_.get()); }
    [[nodiscard]] bool is_av1() const { return codecs::primary_item_is_av1(mapped_.bytes()); }

    [[nodiscard]] Bytes icc() const {
        Bytes profile(heif_image_handle_get_raw_color_profile_size(primary_.get()));
        if (!profile.empty()) check(heif_image_handle_get_raw_color_profile(primary_.get(), profile.data()));
        return profile;
    }
    // From its TIFF header on: four bytes say how far away that is.
    [[nodiscard]] Bytes exif() const {
        Bytes block = metadata("Exif", "");
        if (block.size() < 4) return {};
        const std::size_t start = 4 + std::size_t{codecs::read_big32(block, 0)};
        if (start >= block.size()) return {};
        block.erase(block.begin(), block.begin() + static_cast<std::ptrdiff_t>(start));
        return block;
    }
    [[nodiscard]] Bytes xmp() const { return metadata("mime", "application/rdf+xml"); }

    [[nodiscard]] Picture decode(bool as_stored) const {
        const Options options(heif_decoding_options_alloc());
        if (!options) fail("out of memory");
        options->convert_hdr_to_8bit = is_deep() ? 0 : 1;
        options->ignore_transformations = as_stored ? 1 : 0;
        heif_chroma chroma = has_alpha() ? heif_chroma_interleaved_RGBA : heif_chroma_interleaved_RGB;
        if (is_deep()) chroma = has_alpha() ? heif_chroma_interleaved_RRGGBBAA_LE : heif_chroma_interleaved_RRGGBB_LE;
        heif_image* decoded = nullptr;
        check(heif_decode_image(primary_.get(), &decoded, heif_colorspace_RGB, chroma, options.get()));
        return Picture(decoded);
    }

  private:
    // The first block of this kind; empty where there is none, or it can't be read.
    [[nodiscard]] Bytes metadata(const char* kind, std::string_view content_type) const {
        std::vector<heif_item_id> ids(16);
        const int count = heif_image_handle_get_list_of_metadata_block_IDs(primary_.get(), kind, ids.data(),
                                                                           static_cast<int>(ids.size()));
        ids.resize(static_cast<std::size_t>(std::max(0, count)));
        for (const heif_item_id id : ids) {
            if (heif_image_handle_get_metadata_content_type(primary_.get(), id) != content_type) continue;
            Bytes block(heif_image_handle_get_metadata_size(primary_.get(), id));
            if (block.empty()) continue;
            const heif_error error = heif_image_handle_get_metadata(primary_.get(), id, block.data());
            return error.code == heif_error_Ok ? block : Bytes();
        }
        return {};
    }

    codecs::MappedFile mapped_;
    Context context_;
    Handle primary_;
};

// Colours that were stored as already weighted by their opacity.
template <typename Sample>
void take_out_opacity(Sample* row, int width) {
    constexpr std::uint32_t most = static_cast<Sample>(-1);
    for (int x = 0; x < width; ++x, row += 4) {
        const std::uint32_t alpha = row[3];
        if (alpha == most || alpha == 0) continue;
        for (int band = 0; band < 3; ++band) {
            row[band] = static_cast<Sample>(std::min(most, (row[band] * most + alpha / 2) / alpha));
        }
    }
}

class HeifRows final : public RowMaker {
  public:
    HeifRows(std::unique_ptr<HeifFile> file, bool as_stored)
        : file_(std::move(file)),
          as_stored_(as_stored),
          width_((as_stored ? file_->stored_size() : file_->shown_size()).width),
          height_((as_stored ? file_->stored_size() : file_->shown_size()).height),
          bands_(file_->bands()),
          deep_(file_->is_deep()),
          premultiplied_(file_->is_premultiplied()) {}

    bool write(std::uint8_t* out, RowReader* /*upstream*/) override {
        if (file_ && !start()) return false;
        const std::uint8_t* row = plane_ + static_cast<std::size_t>(next_++) * static_cast<std::size_t>(stride_);
        if (deep_) {
            copy_deep(row, out);
        } else {
            std::memcpy(out, row, samples());
            if (premultiplied_) take_out_opacity(out, width_);
        }
        return true;
    }

  private:
    [[nodiscard]] std::size_t samples() const {
        return static_cast<std::size_t>(width_) * static_cast<std::size_t>(bands_);
    }

    // All at once: there is no other way with libheif.
    bool start() {
        try {
            picture_ = file_->decode(as_stored_);
        } catch (const vips::VError&) {  // which is in libvips' list
            return false;
        }
        file_.reset();
        plane_ = heif_image_get_plane_readonly(picture_.get(), heif_channel_interleaved, &stride_);
        bits_ = heif_image_get_bits_per_pixel_range(picture_.get(), heif_channel_interleaved);
        const bool as_declared = heif_image_get_width(picture_.get(), heif_channel_interleaved) == width_ &&
                                 heif_image_get_height(picture_.get(), heif_channel_interleaved) == height_ &&
                                 (deep_ ? bits_ > 8 && bits_ <= 16 : bits_ == 8);
        if (plane_ != nullptr && stride_ > 0 && as_declared) return true;
        vips_error("heif", "the picture is %d x %d of %d bits, and not what its header says",
                   heif_image_get_width(picture_.get(), heif_channel_interleaved),
                   heif_image_get_height(picture_.get(), heif_channel_interleaved), bits_);
        return false;
    }

    // White is all ones, whatever the depth: the highest bits are repeated below.
    void copy_deep(const std::uint8_t* row, std::uint8_t* out) const {
        auto* samples_out = reinterpret_cast<std::uint16_t*>(out);
        const int shift = 16 - bits_;
        for (std::size_t i = 0; i < samples(); ++i) {
            const unsigned value = row[2 * i] | static_cast<unsigned>(row[2 * i + 1]) << 8;
            samples_out[i] = static_cast<std::uint16_t>(value << shift | value >> (bits_ - shift));
        }
        if (premultiplied_) take_out_opacity(samples_out, width_);
    }

    std::unique_ptr<HeifFile> file_;  // until it is decoded
    const bool as_stored_;
    const int width_;
    const int height_;
    const int bands_;
    const bool deep_;
    const bool premultiplied_;
    Picture picture_;
    const std::uint8_t* plane_ = nullptr;
    int stride_ = 0;
    int bits_ = 0;
    int next_ = 0;
};

// Cropped here and now, and to be turned as EXIF would have it.
VImage turned(const VImage& stored, const codecs::HeifTurns& turns, Size shown) {
    VImage image = stored;
    if (turns.crop)
        image = image.extract_area(turns.crop->left, turns.crop->top, turns.crop->width, turns.crop->height);
    if (size_after(turns, {stored.width(), stored.height()}) != shown) fail("its properties contradict each other");
    image = image.copy();
    image.set(VIPS_META_ORIENTATION, turns.orientation);
    return image;
}

}  // namespace

VImage load_heif(int fd) {
    auto file = std::make_unique<HeifFile>(fd);
    const auto turns = file->turns_for_us();
    const Size shown = file->shown_size();
    const Size size = turns ? file->stored_size() : shown;
    if (size.width < 1 || size.height < 1) fail("a picture without pixels");
    const Bytes icc = file->icc();
    const Bytes exif = file->exif();
    const Bytes xmp = file->xmp();
    VImage model = model_of({size.width, size.height, file->bands(), file->is_deep()}, {icc, exif, xmp});
    vips_autorot_remove_angle(model.get_image());  // EXIF's word is not asked for
    model.set("n-pages", std::max(1, file->pictures()));
    model.set("heif-bitdepth", file->bits());
    model.set("heif-compression", file->is_av1() ? "av1" : "hevc");
    const VImage image = image_of_rows(model, size.width, size.height,
                                       std::make_unique<HeifRows>(std::move(file), turns.has_value()), false);
    return turns ? turned(image, *turns, shown) : image;
}

}  // namespace tessera::imaging
