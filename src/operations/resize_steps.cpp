#include "operations/resize_steps.hpp"

#include <algorithm>
#include <functional>
#include <string>

#include "core/colour.hpp"
#include "imaging/picture/borders.hpp"
#include "imaging/picture/effects.hpp"
#include "imaging/picture/transform.hpp"
#include "operations/caps.hpp"
#include "operations/picture_job.hpp"

namespace tessera::operations {
namespace json = boost::json;
namespace {

using imaging::Image;

JobResult<imaging::Area> trimmed(const ResizeSource& source, int tolerance, const std::function<bool()>& cancelled) {
    auto image = imaging::open(source.source);
    if (image) image = imaging::cut(*image, stored_area(source));
    if (image) image = imaging::to_srgb(*image);
    if (image) image = imaging::laid(*image, source.upright);
    if (!image) return image.error();
    auto inner = imaging::without_borders(*image, tolerance, cancelled);
    if (!inner) return inner;
    inner->left += source.area.left;
    inner->top += source.area.top;
    return inner;
}

JobResult<Image> cut_to_box(const Image& image, const ResizeShape& shape, const json::object& options) {
    if (looks_at_content(options)) {
        const auto position = imaging::position_from_string(text_option(options, "position"));
        return imaging::crop_by_content(image, shape.output, position.value_or(imaging::Position::attention));
    }
    return imaging::cut(image, {shape.at.left, shape.at.top, shape.output.width, shape.output.height});
}

Colour background_of(const json::object& options) {
    return Colour::parse(text_option(options, "background")).value_or(Colour{});
}

}  // namespace

JobResult<ResizeSource> open_resize_source(const RunContext& context, int fd, const json::object& options) {
    const imaging::Source file = source_of(context, fd);
    const auto opened = imaging::open(file);
    if (!opened) return opened.error();
    ResizeSource source{file, *opened, {}, {}, {}};
    source.upright = imaging::Turn::from_orientation(opened->orientation());
    source.displayed = imaging::turned(imaging::Size{opened->width(), opened->height()}, source.upright);
    const auto area = cropped_area(options, source.displayed);
    // It fitted when the job was accepted: the file is not what it was taken for.
    if (!area) return JobError{JobErrorCode::decode_failed, area.error().message, ""};
    source.area = *area;
    if (options.contains("trim")) {
        const auto inner = trimmed(source, int_option(options, "trim"), context.cancelled);
        if (!inner) return inner.error();
        source.area = *inner;
        // What was opened first may share its place in the file with what has been read since.
        auto again = imaging::open(file);
        if (!again) return again.error();
        source.opened = *again;
    }
    return source;
}

JobResult<void> check_result(const ResizeShape& shape, const json::object& options, const RunLimits& limits) {
    const ImageFormat format = format_option(options);
    const std::string size = std::to_string(shape.output.width) + "x" + std::to_string(shape.output.height);
    const auto over = [&](const std::string& what) {
        return JobError{JobErrorCode::output_too_large, "the result would be " + size + " pixels, over " + what, ""};
    };
    const std::int64_t edge = std::max(shape.output.width, shape.output.height);
    if (edge > max_edge(format)) return over("what " + std::string(to_string(format)) + " holds");
    const std::int64_t most = std::min(limits.max_output_pixels, limits.max_result_pixels);
    if (edge > limits.max_result_edge || pixels_of(shape.output.width, shape.output.height) > most) {
        return over("the output limits");
    }
    if (pixels_held(shape, options) <= limits.max_input_pixels) return {};
    return JobError{JobErrorCode::output_too_large, "what is left of the picture is too narrow to cover its box", ""};
}

imaging::Area stored_area(const ResizeSource& source) {
    return imaging::turned(source.area, source.displayed, source.upright.undone());
}

imaging::Size stored_size(const ResizeSource& source, const ResizeShape& shape) {
    return imaging::turned(shape.scaled, source.upright.then(shape.turn).undone());
}

JobResult<Image> finished(const Image& scaled, const ResizeWork& work) {
    const ResizeShape& shape = work.shape;
    const json::object& options = work.options;
    using Step = std::function<JobResult<Image>(const Image&)>;
    const bool padded = resize_box(options).fit == imaging::Fit::contain;
    const bool opaque = format_option(options) == ImageFormat::jpeg;
    const double blur = number_option(options, "blur", 0);
    const double sharpen = number_option(options, "sharpen", 0);
    const Step in_srgb = imaging::to_srgb;
    const Step turned = [&](const Image& image) { return imaging::laid(image, work.source.upright.then(shape.turn)); };
    const Step cut = [&](const Image& image) {
        return padded ? JobResult<Image>(image) : cut_to_box(image, shape, options);
    };
    const Step blurred = [&](const Image& image) {
        return blur > 0 ? imaging::blurred(image, blur) : JobResult<Image>(image);
    };
    const Step sharpened = [&](const Image& image) {
        return sharpen > 0 ? imaging::sharpened(image, sharpen) : JobResult<Image>(image);
    };
    const Step on_canvas = [&](const Image& image) {
        return padded ? imaging::extend(image, shape.output, shape.at, background_of(options))
                      : JobResult<Image>(image);
    };
    const Step under_overlay = [&](const Image& image) {
        return work.overlay ? work.overlay->over(image) : JobResult<Image>(image);
    };
    const Step on_background = [&](const Image& image) {
        return opaque ? imaging::flatten(image, background_of(options)) : JobResult<Image>(image);
    };

    JobResult<Image> image = scaled;
    for (const Step& step : {in_srgb, turned, cut, blurred, sharpened, on_canvas, under_overlay, on_background}) {
        if (image) image = step(*image);
    }
    return image;
}

}  // namespace tessera::operations
