// optimize: the same picture in fewer bytes, and never in more.
#include <algorithm>
#include <chrono>
#include <string>
#include <utility>

#include "core/colour.hpp"
#include "imaging/picture/impression.hpp"
#include "imaging/picture/transform.hpp"
#include "imaging/save/drawn.hpp"
#include "imaging/save/recompress.hpp"
#include "operations/built_in.hpp"
#include "operations/caps.hpp"
#include "operations/encoding_trial.hpp"
#include "operations/looks_job.hpp"
#include "operations/looks_target.hpp"
#include "operations/picture_job.hpp"

namespace tessera::operations {
namespace json = boost::json;
namespace {

const OptionTable& table() {
    static const OptionTable options{
        choice("format", format_names_with_auto(),
               "Format of the result. auto is the smallest that reaches the target.")
            .with_role(OptionRole::result_format)
            .filled_in("the source's; png for gif, webp for heif"),
        quality_option("Quality of lossy encodings. For png it bounds the number of colours. auto is a target of 80."),
        target_option(),
        boolean("lossless", "Whether every pixel must stay as it is. Not for jpeg.").defaults_to(false),
        integer("effort", 1, 9, "How hard encoders try, from fast to small. Large pictures get less than asked for.")
            .defaults_to(6),
        boolean("keep_metadata", "Whether EXIF, XMP and IPTC data and a colour profile stay in the file.")
            .defaults_to(false),
    };
    return options;
}

std::string_view default_format(ImageFormat source) {
    if (is_written(source)) return to_string(source);
    return source == ImageFormat::gif ? "png" : "webp";
}

// Of a sample, as far as our encoders go.
int most_bits(ImageFormat format) {
    return format == ImageFormat::png || format == ImageFormat::jxl ? 16 : 8;
}

Result<json::object> complete(json::object options, const ImageInfo& source) {
    if (!options.contains("format")) options["format"] = default_format(source.format);
    if (auto ok = check_target(options); !ok) return std::move(ok).error();
    if (bool_option(options, "lossless")) {
        const ImageFormat format = format_option(options);
        if (format == ImageFormat::jpeg) {
            return invalid_option("lossless optimize is not supported for jpeg output");
        }
        if (source.bits_per_sample > most_bits(format) && format != source.format) {
            return invalid_option("lossless " + std::string(to_string(format)) + " holds " +
                                  std::to_string(most_bits(format)) + " bits a sample, but the source has " +
                                  std::to_string(source.bits_per_sample));
        }
    }
    return table().in_order(options);
}

imaging::Encoding encoding_of(const RunContext& context) {
    const json::object& options = context.request.options;
    imaging::Encoding encoding;
    const ImageInfo& shown = context.request.images.at(0).image;
    encoding.format = format_for_caps(options, shown.width, shown.height);
    if (!target_of(options)) encoding.quality = int_option(options, "quality");
    encoding.effort = int_option(options, "effort");
    encoding.lossless = bool_option(options, "lossless");
    encoding.smallest = true;
    encoding.keep_metadata = bool_option(options, "keep_metadata");
    encoding.threads = context.request.limits.threads;
    encoding.time_budget = context.request.limits.time_budget;
    return encoding;
}

// Of what is left to do after decoding.
constexpr double few_colours_share = 0.3;

// A file that may become the result.
struct Candidate {
    std::string file;
    ImageFormat format = ImageFormat::jpeg;
    std::int64_t byte_size = 0;
    bool lossless = false;
};

// One attempt at a smaller file: the source, what is wanted, and where files go.
class Attempt {
  public:
    Attempt(const RunContext& context, int fd)
        : context_(context),
          source_(source_of(context, fd)),
          encoding_(encoding_of(context)),
          saving_(save_context(context)) {}

    JobResult<Manifest> run() {
        const auto header = imaging::open(source_);
        if (!header) return header.error();
        file_ = {source_.fd, source_.format, header->orientation()};
        auto own = save_own_bytes();
        if (!own) return own.error();
        if (is_beyond_encoder()) {
            if (!*own) return has_metadata_somewhere();
            const auto whole = prepare(*header);  // damage must show
            if (!whole) return whole.error();
            if (auto ok = look_at(*whole); !ok) return std::move(ok).error();
            return finish(**own, true);
        }
        if (target_of(context_.request.options)) return reach(*header, *own);
        auto encoded = encode(*header);
        if (!encoded) return encoded.error();
        const bool wins = beats(*own, encoded->format, encoded->byte_size);
        return finish(wins ? *encoded : **own, !wins);
    }

  private:
    // Nothing may be lost of samples that are larger than the encoder takes.
    [[nodiscard]] bool is_beyond_encoder() const {
        return encoding_.lossless && context_.request.images.at(0).image.bits_per_sample > most_bits(encoding_.format);
    }

    static JobError has_metadata_somewhere() {
        return {JobErrorCode::decode_failed,
                "the file is not built as its format promises, so that its metadata can't be found and left out; with "
                "keep_metadata it stays as it is",
                {}};
    }

    // What may still have metadata is no result, whatever its size.
    [[nodiscard]] bool beats(const std::optional<Candidate>& own, ImageFormat format, std::int64_t byte_size) const {
        if (!own) return true;
        const bool same_format = own->format == format;
        return byte_size < (same_format ? own->byte_size : context_.request.images.at(0).byte_size + 1);
    }

    // As alike as asked for, rather than at a quality.
    JobResult<Manifest> reach(const imaging::Image& header, const std::optional<Candidate>& own) {
        auto reference = prepare(header);
        if (!reference) return reference.error();
        if (auto ok = look_at(*reference); !ok) return std::move(ok).error();
        const auto encode = [&](const imaging::Encoding& asked, const imaging::Report& report) {
            return encode_once(*reference, asked, report);
        };
        LooksJob job = looks_job(context_, context_.request.options, *reference, encoding_, encode);
        job.progress = imaging::part_of(context_.progress, progress_, 1);
        auto found = run_to_target(job);
        if (!found) return found.error();
        const EncodedPicture& made = found->picture;
        if (beats(own, made.format, made.byte_size)) {
            return finish({made.file, made.format, made.byte_size, made.lossless}, false, std::move(found->metadata));
        }
        json::object& metadata = found->metadata;  // the source looks like itself
        metadata["score"] = 100;
        metadata["target_reached"] = true;
        for (const char* of_the_other : {"quality", "compared", "chosen_because"}) metadata.erase(of_the_other);
        return finish(*own, true, std::move(metadata));
    }

    JobResult<EncodedPicture> encode_once(const imaging::Image& image, const imaging::Encoding& asked,
                                          const imaging::Report& report) {
        imaging::SaveContext saving = saving_;
        saving.progress = report;
        saving.pixels_expected_s = 0;  // they are in memory
        const std::string name = new_name(asked.format);
        if (asked.format == ImageFormat::jpeg && source_.format == ImageFormat::jpeg) {
            const auto recoded = imaging::save_recoded_jpeg(file_, asked, context_.scratch / name, saving);
            if (!recoded) return recoded.error();
            if (*recoded) {
                return EncodedPicture{name, asked.format, (*recoded)->byte_size, (*recoded)->lossless,
                                      (*recoded)->halved_colour};
            }
        }
        const auto size = imaging::save(image, context_.scratch / name, asked, saving);
        if (!size) return size.error();
        return EncodedPicture{name, asked.format, *size, asked.lossless};
    }

    JobResult<Candidate> encode(const imaging::Image& header) {
        if (encoding_.format == ImageFormat::jpeg && source_.format == ImageFormat::jpeg) {
            auto recoded = recode_jpeg();
            if (!recoded) return recoded.error();
            if (*recoded) return **recoded;
        }
        auto image = prepare(header);
        if (!image) return image.error();
        if (auto ok = look_at(*image); !ok) return std::move(ok).error();
        const bool is_tried = encoding_.format == ImageFormat::webp || encoding_.format == ImageFormat::avif;
        if (is_tried && !encoding_.lossless && !image->is_grey()) {
            const auto pays = full_colour_pays(*image, encoding_, context_.scratch, saving_);
            if (!pays) return pays.error();
            encoding_.full_colour = *pays;
        }
        if (imaging::has_way_of_screens(encoding_)) {
            const auto pays = screen_pays(*image, encoding_, context_.scratch, saving_);
            if (!pays) return pays.error();
            encoding_.as_screen = *pays;
        }
        std::vector<imaging::Encoding> encodings{encoding_};
        const bool may_be_drawn = image->has_alpha() || imaging::looks_drawn(*image);
        if (encoding_.format == ImageFormat::webp && !encoding_.lossless && may_be_drawn) {
            encodings.push_back(encoding_);
            encodings.back().lossless = true;
        }
        std::vector<imaging::Image> images{*image};
        if (encoding_.format == ImageFormat::png && !encoding_.lossless) {
            auto few =
                imaging::with_few_colours(*image, imaging::whole_quality(encoding_), next_part(few_colours_share));
            if (!few) return few.error();
            images.push_back(*few);
        }
        return smallest(images, encodings);
    }

    JobResult<Candidate> smallest(const std::vector<imaging::Image>& images,
                                  const std::vector<imaging::Encoding>& encodings) {
        std::optional<Candidate> best;
        std::size_t left = images.size() * encodings.size();
        for (std::size_t i = 0; i < images.size(); ++i) {
            for (const imaging::Encoding& encoding : encodings) {
                const std::string name = new_name(encoding.format);
                imaging::SaveContext saving = saving_;
                saving.progress = next_part(1.0 / static_cast<double>(left--));
                saving.pixels_expected_s = 0;  // they are in memory
                const auto size = imaging::save(images[i], context_.scratch / name, encoding, saving);
                if (!size) return size.error();
                const bool exact = encoding.lossless || (encoding.format == ImageFormat::png && i == 0);
                if (!best || *size < best->byte_size) best = Candidate{name, encoding.format, *size, exact};
            }
        }
        return *best;
    }

    JobResult<std::optional<Candidate>> recode_jpeg() {
        const std::string name = new_name(ImageFormat::jpeg);
        const auto recoded = imaging::save_recoded_jpeg(file_, encoding_, context_.scratch / name, saving_);
        if (!recoded) return recoded.error();
        if (!*recoded) return std::optional<Candidate>();
        small_ = imaging::turned((*recoded)->small, imaging::Turn::from_orientation(file_.orientation));
        return std::optional(Candidate{name, ImageFormat::jpeg, (*recoded)->byte_size, (*recoded)->lossless});
    }

    // What it looks like is told with the result.
    JobResult<void> look_at(const imaging::Image& image) {
        auto small = imaging::small_picture(image);
        if (!small) return std::move(small).error();
        small_ = std::move(*small);
        return {};
    }

    // Decoded and upright; in sRGB unless nothing may change.
    JobResult<imaging::Image> prepare(const imaging::Image& header) {
        const bool profiled = header.has_profile() && !imaging::has_srgb_profile(header);
        // WebP is always in colour, and a profile for grey says nothing of that.
        const bool grey_webp = profiled && header.is_grey() && encoding_.format == ImageFormat::webp;
        const bool exact = encoding_.lossless && !header.is_cmyk() && !grey_webp;
        encoding_.keep_profile = exact && profiled;
        auto image = imaging::open(source_);
        if (image && !exact) image = imaging::to_srgb(*image);
        if (image) image = imaging::upright(*image);
        if (image && encoding_.format == ImageFormat::jpeg)
            image = imaging::flatten(*image, Colour{255, 255, 255, 255});
        if (!image) return image;
        imaging::SaveContext decoding = saving_;
        decoding.progress = next_part(decoding_share());
        return imaging::in_memory(*image, decoding);
    }

    [[nodiscard]] double decoding_share() const {
        const ImageInfo& shown = context_.request.images.at(0).image;
        const double encoding = imaging::expected_seconds(encoding_, shown.width, shown.height);
        return saving_.pixels_expected_s / (saving_.pixels_expected_s + encoding);
    }

    // For a step that is such a share of what is left to do.
    imaging::Report next_part(double share) {
        const double from = progress_;
        progress_ += (1 - progress_) * share;
        return imaging::part_of(context_.progress, from, progress_);
    }

    JobResult<std::optional<Candidate>> save_own_bytes() {
        const std::string name = new_name(source_.format);
        const auto size = imaging::save_own_bytes(file_, encoding_.keep_metadata, context_.scratch / name, saving_);
        if (!size) return size.error();
        if (!*size) return std::optional<Candidate>();
        return std::optional(Candidate{name, source_.format, **size, true});
    }

    [[nodiscard]] JobResult<Manifest> finish(const Candidate& chosen, bool kept_source,
                                             json::object metadata = {}) const {
        const ImageInfo& shown = context_.request.images.at(0).image;
        const bool at_quality = !chosen.lossless && !metadata.contains("quality");
        PictureResult result{chosen.file,  chosen.format,    shown.width,
                             shown.height, chosen.byte_size, std::move(metadata)};
        result.metadata["lossless"] = chosen.lossless;
        if (at_quality) result.metadata["quality"] = imaging::whole_quality(encoding_);
        result.metadata["kept_source"] = kept_source;
        add_impression(result.metadata, small_);
        return manifest_of(context_, std::move(result));
    }

    std::string new_name(ImageFormat format) {
        return "optimized-" + std::to_string(++names_) + "." + std::string(file_extension(format));
    }

    const RunContext& context_;
    imaging::Source source_;
    imaging::SourceFile file_;
    imaging::Encoding encoding_;
    imaging::SaveContext saving_;
    imaging::SmallPicture small_;  // the picture as displayed
    double progress_ = 0;          // where the next step begins
    int names_ = 0;
};

class Optimize final : public Operation {
  public:
    [[nodiscard]] std::string_view name() const override { return "optimize"; }
    [[nodiscard]] std::string_view description() const override {
        return "Encodes a picture in fewer bytes, without its metadata; the result is never larger than the source.";
    }
    [[nodiscard]] const OptionTable& options() const override { return table(); }
    [[nodiscard]] std::vector<Rule> rules() const override {
        return {
            {"lossless_formats",
             "lossless is not for jpeg, also where that is the source's format; lossless webp and avif hold 8 bits a "
             "sample, and no source of another format that has more."},
            edges_of_formats,
            rule_of_targets};
    }
    [[nodiscard]] Examples examples() const override {
        return {.request = R"({"asset_id": "2c1a8f66-0d52-4e8b-9f38-6c0a5f1f7b01", "operation": "optimize",
                               "options": {"format": "avif", "quality": 60}})",
                .commands = {{"photo.jpg smaller.jpg"},
                             {"photo.jpg smaller.avif --quality 60", HelpOf::process},
                             {"photo.jpg smaller.webp --target high"},
                             {"map.png smaller.png --lossless"}},
                .accepted_options = R"({"format": "webp", "quality": 80, "lossless": false, "effort": 6,
                                        "keep_metadata": false})",
                .metadata = R"({"lossless": false, "quality": 80, "kept_source": false})"};
    }
    [[nodiscard]] json::object options_schema() const override {
        json::object schema = table().schema();
        schema["not"] = {{"required", {"format", "lossless"}},
                         {"properties", {{"format", {{"const", "jpeg"}}}, {"lossless", {{"const", true}}}}}};
        return schema;
    }

    [[nodiscard]] Result<json::object> normalize(const json::object& given, const std::optional<Uuid>&) const override {
        auto spelled = with_target_spelled_out(given);
        if (!spelled) return std::move(spelled).error();
        auto parsed = table().parse(*spelled);
        if (!parsed) return std::move(parsed).error();
        drop_filled_in_quality(*parsed);
        if (auto ok = check_target(*parsed); !ok) return std::move(ok).error();
        if (const json::value* format = parsed->if_contains("format");
            format != nullptr && format->as_string() == "jpeg" && bool_option(*parsed, "lossless")) {
            return invalid_option("lossless optimize is not supported for jpeg output");
        }
        return parsed;
    }

    [[nodiscard]] Result<ResolvedRequest> resolve(NormalizedRequest request,
                                                  const SubmitContext& context) const override {
        const auto asset = context.find_asset(*request.asset_id);
        if (!asset) return asset.error();
        auto options = complete(std::move(request.options), asset->image);
        if (!options) return std::move(options).error();
        Workload work{{asset->image},
                      asset->image.width,
                      asset->image.height,
                      format_for_caps(*options, asset->image.width, asset->image.height)};
        if (auto ok = check_caps(work, context); !ok) return std::move(ok).error();
        work.encoding_pixels = encoding_pixels(*options, asset->image.width, asset->image.height);

        ResolvedRequest resolved;
        resolved.operation = name();
        resolved.options = std::move(*options);
        resolved.asset_id = asset->id;
        resolved.credits = credits_for_pixels(asset->image.width * asset->image.height);
        resolved.heavy = is_heavy(work, context.worker);
        return resolved;
    }

    // The source's own bytes are the result where nothing smaller was found.
    [[nodiscard]] Result<ProductPlan> plan(const RunRequest& request) const override {
        const ImageInfo& source = request.images.at(0).image;
        std::vector<ImageFormat> formats = planned_formats(request.options);
        formats.push_back(source.format);
        PlannedPicture picture{std::move(formats), source.width, source.height, true};
        return ProductPlan{std::move(picture), std::nullopt};
    }

    [[nodiscard]] JobResult<Manifest> run(const RunContext& context) const override {
        auto fd = context.open_image(0);
        if (!fd) return from_error(fd.error());
        return Attempt(context, fd->get()).run();
    }
};

}  // namespace

std::unique_ptr<Operation> make_optimize() {
    return std::make_unique<Optimize>();
}

}  // namespace tessera::operations
