// same_size: an operation of the tests' own. This file is all that a program is linked with to have it: what the
// service, the command line and the documents know of it they have from here.
#include <algorithm>
#include <string>
#include <utility>

#include "imaging/picture/transform.hpp"
#include "operations/caps.hpp"
#include "operations/more.hpp"
#include "operations/named_sources.hpp"
#include "operations/picture_job.hpp"
#include "operations/registry.hpp"

namespace tessera::operations {
namespace json = boost::json;
namespace {

constexpr std::int64_t most_others = 8;

const OptionTable& table() {
    static const OptionTable options{
        choice("format", {"png", "webp"}, "Format of the result.")
            .with_role(OptionRole::result_format)
            .defaults_to("png"),
        colour("background", "The canvas around the picture. Opaque.").defaults_to("#ffffff"),
        list("others", 1, most_others, {asset("other_asset_id", "One of them.").required()},
             "The pictures that this one is to be as large as.")
            .required(),
    };
    return options;
}

template <typename Images, typename InfoOf>
imaging::Size largest(const Images& images, InfoOf info_of) {
    imaging::Size size{1, 1};
    for (const auto& image : images) {
        size.width = std::max(size.width, info_of(image).width);
        size.height = std::max(size.height, info_of(image).height);
    }
    return size;
}

class SameSize final : public Operation {
  public:
    [[nodiscard]] std::string_view name() const override { return "same_size"; }
    [[nodiscard]] std::string_view description() const override {
        return "Puts a picture on a canvas as large as the largest of some others.";
    }
    [[nodiscard]] const OptionTable& options() const override { return table(); }
    [[nodiscard]] std::vector<Rule> rules() const override {
        return {{"opaque_background", "background must be opaque."}, edges_of_formats};
    }
    [[nodiscard]] Examples examples() const override {
        return {.request = R"({"asset_id": "2c1a8f66-0d52-4e8b-9f38-6c0a5f1f7b01", "operation": "same_size",
                               "options": {"others": [{"other_asset_id": "2c1a8f66-0d52-4e8b-9f38-6c0a5f1f7b02"}]}})",
                .commands = {{R"(photo.jpg padded.png --others '[{"other_file": "map.png"}]')", HelpOf::process}}};
    }
    [[nodiscard]] std::string_view source_description() const override { return "The picture that gets a canvas"; }
    [[nodiscard]] std::string file_stem(std::string source, const OutputFile&) const override {
        return source + "-padded";
    }

    [[nodiscard]] Result<json::object> normalize(const json::object& given, const std::optional<Uuid>&) const override {
        auto options = table().parse(given);
        if (options && !Colour::parse(text_option(*options, "background"))->opaque()) {
            return invalid_option("background must be opaque");
        }
        return options;
    }

    [[nodiscard]] Result<ResolvedRequest> resolve(NormalizedRequest request,
                                                  const SubmitContext& context) const override {
        Workload work;
        NamedSources sources(context, work);
        for (const Uuid& id : images(request.asset_id, request.options)) {
            if (auto ok = sources.add(id); !ok) return std::move(ok).error();
        }
        const imaging::Size canvas = largest(work.inputs, [](const ImageInfo& image) { return image; });
        work.output_width = canvas.width;
        work.output_height = canvas.height;
        work.output_format = format_option(request.options);
        if (auto ok = check_caps(work, context); !ok) return std::move(ok).error();

        ResolvedRequest resolved;
        resolved.operation = name();
        resolved.options = std::move(request.options);
        resolved.asset_id = request.asset_id;
        resolved.credits = credits_for_pixels(canvas.width * canvas.height);
        resolved.heavy = is_heavy(work, context.worker);
        return resolved;
    }

    [[nodiscard]] Result<ProductPlan> plan(const RunRequest& request) const override {
        const imaging::Size canvas = canvas_of(request);
        return ProductPlan{PlannedPicture{{format_option(request.options)}, canvas.width, canvas.height}, std::nullopt};
    }

    [[nodiscard]] JobResult<Manifest> run(const RunContext& context) const override {
        // Their sizes are known; that they can be opened shows that every one of them reached the engine.
        for (std::size_t i = 1; i < context.request.images.size(); ++i) {
            const auto other = context.open_image(i);
            if (!other) return from_error(other.error());
            if (const auto header = imaging::open(source_of(context, other->get(), i)); !header) return header.error();
        }
        const auto file = context.open_image(0);
        if (!file) return from_error(file.error());
        const json::object& options = context.request.options;
        auto image = imaging::open(source_of(context, file->get()));
        if (image) image = imaging::to_srgb(*image);
        if (image) image = imaging::upright(*image);
        const Colour background = Colour::parse(text_option(options, "background")).value_or(Colour{});
        if (image) {
            const imaging::Size canvas = canvas_of(context.request);
            const imaging::Size size{image->width(), image->height()};
            image =
                imaging::extend(*image, canvas, imaging::place(imaging::Position::centre, size, canvas), background);
        }
        if (!image) return image.error();

        imaging::Encoding encoding;
        encoding.format = format_option(options);
        const std::string name = "padded." + std::string(file_extension(encoding.format));
        const auto size = imaging::save(*image, context.scratch / name, encoding, save_context(context));
        if (!size) return size.error();
        return manifest_of(context, {name, encoding.format, image->width(), image->height(), *size, {}});
    }

  private:
    static imaging::Size canvas_of(const RunRequest& request) {
        return largest(request.images, [](const InputImage& input) { return input.image; });
    }
};

}  // namespace

void add_more(Registry& registry) {
    registry.add(std::make_unique<SameSize>());
}

}  // namespace tessera::operations
