// resize: one picture, another size.
#include <algorithm>
#include <string>
#include <utility>

#include "core/colour.hpp"
#include "imaging/picture/transform.hpp"
#include "imaging/pixels/fit.hpp"
#include "imaging/save/recompress.hpp"
#include "operations/built_in.hpp"
#include "operations/caps.hpp"
#include "operations/looks_job.hpp"
#include "operations/looks_target.hpp"
#include "operations/picture_job.hpp"

namespace tessera::operations {
namespace json = boost::json;
namespace {

constexpr std::int64_t longest_edge = 100'000;
constexpr int resize_effort = 4;
constexpr std::string_view needs_an_edge = "resize requires width or height";

const OptionTable& table() {
    static const OptionTable options{
        integer("width", 1, longest_edge, "Width of the box in pixels. One of width and height is required."),
        integer("height", 1, longest_edge, "Height of the box in pixels."),
        choice("fit", {"inside", "cover", "contain", "fill", "outside"},
               "How the picture meets the box: inside it; covering it, cut to it; contained in it, padded to it; "
               "stretched to fill it; or just outside it. With one side given all mean the same.")
            .defaults_to("inside"),
        choice("position",
               {"centre", "north", "northeast", "east", "southeast", "south", "southwest", "west", "northwest",
                "attention", "entropy"},
               "Which part cover keeps, or where contain places the picture. attention keeps what draws the eye, "
               "entropy the part with most detail.")
            .defaults_to("centre"),
        choice("format", format_names_with_auto(),
               "Format of the result. auto is the smallest that reaches the target.")
            .with_role(OptionRole::result_format)
            .filled_in("the source's; png for gif, webp for heif and jxl"),
        quality_option("Quality of lossy formats. auto is a target of 80."),
        target_option(),
        colour("background", "Padding of contain, and what shows through transparency where the format has none.")
            .filled_in("transparent; white for jpeg"),
        boolean("enlarge", "Whether a picture smaller than the box may grow.").defaults_to(false),
        boolean("keep_metadata", "Whether EXIF, XMP and IPTC data and a colour profile stay in the file.")
            .defaults_to(false),
    };
    return options;
}

std::string_view default_format(ImageFormat source) {
    switch (source) {
        case ImageFormat::gif: return "png";
        case ImageFormat::heif:
        case ImageFormat::jxl: return "webp";
        default: return to_string(source);
    }
}

std::optional<std::int64_t> edge_option(const json::object& options, std::string_view name) {
    const json::value* value = options.if_contains(name);
    if (value == nullptr) return std::nullopt;
    return value->as_int64();
}

imaging::Box box_of(const json::object& options) {
    return {edge_option(options, "width"), edge_option(options, "height"),
            imaging::fit_from_string(text_option(options, "fit")).value_or(imaging::Fit::inside),
            bool_option(options, "enlarge")};
}

bool looks_at_content(const json::object& options) {
    const std::string_view position = text_option(options, "position");
    return text_option(options, "fit") == "cover" && (position == "attention" || position == "entropy");
}

// Fills in what follows from the format, once that is known: given, or the source's.
Result<json::object> complete(json::object options) {
    if (!options.contains("format")) return options;
    if (auto ok = check_target(options); !ok) return std::move(ok).error();
    const bool jpeg = text_option(options, "format") == "jpeg";
    if (!options.contains("background")) options["background"] = jpeg ? "#ffffff" : "#00000000";
    if (jpeg && !Colour::parse(text_option(options, "background"))->opaque()) {
        return invalid_option("background must be opaque for jpeg output");
    }
    return table().in_order(options);
}

class Resize final : public Operation {
  public:
    [[nodiscard]] std::string_view name() const override { return "resize"; }
    [[nodiscard]] std::string_view description() const override { return "Brings a picture to another size."; }
    [[nodiscard]] const OptionTable& options() const override { return table(); }

    [[nodiscard]] std::vector<Rule> rules() const override {
        return {{"opaque_background", "background must be opaque where the result is a jpeg."},
                edges_of_formats,
                rule_of_targets};
    }
    [[nodiscard]] Examples examples() const override {
        return {.request = R"({"asset_id": "2c1a8f66-0d52-4e8b-9f38-6c0a5f1f7b01", "operation": "resize",
                               "options": {"width": 800, "fit": "inside", "format": "webp"}})",
                .commands = {{"photo.jpg small.webp --width 800", HelpOf::program},
                             {"photo.jpg square.jpg --width 400 --height 400 --fit cover --position attention"}},
                .short_request = R"({"asset_id": "…", "operation": "resize", "options": {"width": 800}})",
                .refusal = needs_an_edge};
    }
    [[nodiscard]] std::string file_stem(std::string source, const OutputFile& made) const override {
        return source + "-" + std::to_string(made.width) + "x" + std::to_string(made.height);
    }
    [[nodiscard]] json::object options_schema() const override {
        json::object schema = table().schema();
        schema["anyOf"] = {{{"required", {"width"}}}, {{"required", {"height"}}}};
        return schema;
    }

    [[nodiscard]] Result<json::object> normalize(const json::object& given, const std::optional<Uuid>&) const override {
        auto spelled = with_target_spelled_out(given);
        if (!spelled) return std::move(spelled).error();
        auto parsed = table().parse(*spelled);
        if (!parsed) return std::move(parsed).error();
        drop_filled_in_quality(*parsed);
        if (!parsed->contains("width") && !parsed->contains("height")) {
            return invalid_option(std::string(needs_an_edge));
        }
        return complete(std::move(*parsed));
    }

    [[nodiscard]] Result<ResolvedRequest> resolve(NormalizedRequest request,
                                                  const SubmitContext& context) const override {
        const auto asset = context.find_asset(*request.asset_id);
        if (!asset) return asset.error();
        json::object given = std::move(request.options);
        if (!given.contains("format")) given["format"] = default_format(asset->image.format);
        auto options = complete(std::move(given));
        if (!options) return std::move(options).error();

        const imaging::Size source{asset->image.width, asset->image.height};
        const auto [scaled, output] = imaging::fit_into(box_of(*options), source);
        Workload work{
            {asset->image}, output.width, output.height, format_for_caps(*options, output.width, output.height)};
        // Where the content decides what is kept, all of it is made first.
        if (scaled != output && looks_at_content(*options)) work.fitted_pixels = pixels_of(scaled.width, scaled.height);
        if (auto ok = check_caps(work, context); !ok) return std::move(ok).error();

        ResolvedRequest resolved;
        resolved.operation = name();
        resolved.options = std::move(*options);
        resolved.asset_id = asset->id;
        resolved.credits = credits_for_pixels(source.width * source.height);
        resolved.heavy = is_heavy(work, context.worker);
        return resolved;
    }

    [[nodiscard]] Result<ProductPlan> plan(const RunRequest& request) const override {
        const ImageInfo& source = request.images.at(0).image;
        const imaging::Size size = imaging::fit_into(box_of(request.options), {source.width, source.height}).output;
        return ProductPlan{PlannedPicture{planned_formats(request.options), size.width, size.height}, std::nullopt};
    }

    [[nodiscard]] JobResult<Manifest> run(const RunContext& context) const override;
};

// The picture, brought to its final size and eight-bit sRGB, not decoded yet.
JobResult<imaging::Image> build(const imaging::Source& source, const json::object& options, const RunLimits& limits) {
    auto header = imaging::open(source);
    if (!header) return header;
    const bool swapped = imaging::swaps_axes(header->orientation());
    imaging::Size displayed{header->width(), header->height()};
    if (swapped) std::swap(displayed.width, displayed.height);
    const imaging::Fitted fitted = imaging::fit_into(box_of(options), displayed);
    if (fitted.output.width * fitted.output.height > limits.max_output_pixels) {
        return JobError{JobErrorCode::output_too_large, "the result would be over the output limits", ""};
    }
    imaging::Size stored = fitted.scaled;
    if (swapped) std::swap(stored.width, stored.height);

    auto image = imaging::open_reduced(source, stored.width, stored.height);
    if (image) image = imaging::scale_to(*image, stored);
    if (image) image = imaging::to_srgb(*image);
    if (image) image = imaging::upright(*image);
    if (!image) return image;

    const auto position =
        imaging::position_from_string(text_option(options, "position")).value_or(imaging::Position::centre);
    const Colour background = Colour::parse(text_option(options, "background")).value_or(Colour{});
    if (box_of(options).fit == imaging::Fit::contain) {
        image = imaging::extend(*image, fitted.output, position, background);
    } else {
        image = imaging::crop(*image, fitted.output, position);
    }
    if (image && text_option(options, "format") == "jpeg") image = imaging::flatten(*image, background);
    return image;
}

// As alike as asked for, rather than at a quality.
JobResult<Manifest> save_to_target(const RunContext& context, const imaging::Image& image,
                                   const imaging::Encoding& encoding, int target) {
    constexpr double pixels_share = 0.1;
    imaging::SaveContext decoding = save_context(context);
    decoding.progress = imaging::part_of(context.progress, 0, pixels_share);
    auto reference = imaging::in_memory(image, decoding);
    if (!reference) return reference.error();
    int made = 0;
    const auto encode = [&](const imaging::Encoding& asked,
                            const imaging::Report& report) -> JobResult<EncodedPicture> {
        const std::string file = "resized-" + std::to_string(++made) + "." + std::string(file_extension(asked.format));
        imaging::SaveContext saving = save_context(context);
        saving.progress = report;
        saving.pixels_expected_s = 0;  // they are in memory
        const auto size = imaging::save(*reference, context.scratch / file, asked, saving);
        if (!size) return size.error();
        return EncodedPicture{file, asked.format, *size, false};
    };
    auto found = run_to_target(looks_job(context, *reference, target, encoding, encode, pixels_share));
    if (!found) return found.error();
    const EncodedPicture& picture = found->picture;
    return manifest_of(context, {picture.file, picture.format, image.width(), image.height(), picture.byte_size,
                                 std::move(found->metadata)});
}

JobResult<Manifest> Resize::run(const RunContext& context) const {
    auto fd = context.open_image(0);
    if (!fd) return from_error(fd.error());
    const json::object& options = context.request.options;
    const auto image = build(source_of(context, fd->get()), options, context.request.limits);
    if (!image) return image.error();

    imaging::Encoding encoding;
    encoding.format = format_option(options);
    encoding.effort = resize_effort;
    encoding.keep_metadata = bool_option(options, "keep_metadata");
    encoding.threads = context.request.limits.threads;
    encoding.time_budget = context.request.limits.time_budget;
    if (const auto target = target_of(options)) return save_to_target(context, *image, encoding, *target);
    encoding.quality = int_option(options, "quality");
    const std::string file = "resized." + std::string(file_extension(encoding.format));
    const auto size = imaging::save(*image, context.scratch / file, encoding, save_context(context));
    if (!size) return size.error();

    PictureResult result{file, encoding.format, image->width(), image->height(), *size, {}};
    if (encoding.format != ImageFormat::png) result.metadata["quality"] = encoding.quality;
    return manifest_of(context, std::move(result));
}

}  // namespace

std::unique_ptr<Operation> make_resize() {
    return std::make_unique<Resize>();
}

}  // namespace tessera::operations
