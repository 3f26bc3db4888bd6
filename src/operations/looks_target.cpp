#include "operations/looks_target.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "operations/caps.hpp"
#include "operations/picture_job.hpp"

namespace tessera::operations {
namespace json = boost::json;
namespace {

constexpr int lowest_target = 30;
constexpr int highest_target = 95;

struct NamedTarget {
    std::string_view name;
    int score;
};
constexpr std::array<NamedTarget, 4> named_targets{{
    {"low", 60},
    {"medium", 70},
    {"high", high_target},
    {"visually_lossless", 90},
}};

constexpr std::array<ImageFormat, 4> automatic_choices{ImageFormat::avif, ImageFormat::webp, ImageFormat::jpeg,
                                                       ImageFormat::png};

bool is_word(const json::value* value, std::string_view word) {
    return value != nullptr && value->is_string() && value->get_string() == word;
}

bool is_true(const json::value* value) {
    return value != nullptr && value->is_bool() && value->get_bool();
}

Error needs_a_target() {
    return invalid_option("format auto compares formats at one target: give a target in the place of quality");
}

}  // namespace

Option quality_option(std::string_view description) {
    return integer("quality", 1, 100, description).or_named({automatic}).defaults_to(80);
}

Option target_option() {
    std::vector<std::string_view> names;
    for (const NamedTarget& target : named_targets) names.push_back(target.name);
    return integer("target", lowest_target, highest_target,
                   "In the place of quality: how alike the result looks to what was encoded, as a SSIMULACRA 2 score; "
                   "the smallest file that reaches it is made. low is 60, medium 70, high 80, visually_lossless 90. "
                   "Not for png, nor with lossless.")
        .or_named(std::move(names));
}

std::vector<std::string_view> format_names_with_auto() {
    std::vector<std::string_view> names = picture_format_names();
    names.push_back(automatic);
    return names;
}

Result<json::object> with_target_spelled_out(json::object given) {
    const bool any_format = is_word(given.if_contains("format"), automatic);
    if (given.contains("quality") && given.contains("target")) {
        return invalid_option("quality and target are two answers to one question: give one of them");
    }
    if (is_word(given.if_contains("quality"), automatic)) {
        given.erase("quality");
        given["target"] = high_target;
    }
    if (any_format && given.contains("quality")) {
        return needs_a_target();
    }
    if (any_format && !given.contains("target")) given["target"] = high_target;
    json::value* target = given.if_contains("target");
    for (const NamedTarget& named : named_targets) {
        if (is_word(target, named.name)) *target = named.score;
    }
    return given;
}

void drop_filled_in_quality(json::object& options) {
    if (options.contains("target")) options.erase("quality");
}

Result<void> check_target(const json::object& options) {
    if (!options.contains("target")) return is_automatic_format(options) ? needs_a_target() : Result<void>();
    if (is_true(options.if_contains("lossless"))) {
        return invalid_option("target is for lossy results: give it or lossless, not both");
    }
    if (is_word(options.if_contains("format"), "png")) {
        return invalid_option("target is for lossy results, and png output is exact: ask for another format")
            .with_hint("format auto takes png where that is the smallest");
    }
    return {};
}

std::string_view name_of_score(double score) {
    std::string_view name;
    for (const NamedTarget& target : named_targets) {
        if (score >= target.score) name = target.name;
    }
    return name;
}

std::optional<int> target_of(const json::object& options) {
    const json::value* target = options.if_contains("target");
    if (target == nullptr) return std::nullopt;
    return static_cast<int>(target->as_int64());
}

bool is_automatic_format(const json::object& options) {
    return is_word(options.if_contains("format"), automatic);
}

std::vector<ImageFormat> automatic_formats(std::int64_t width, std::int64_t height, bool has_alpha) {
    std::vector<ImageFormat> formats;
    for (const ImageFormat format : automatic_choices) {
        if (std::max(width, height) > max_edge(format)) continue;
        if (format == ImageFormat::jpeg && has_alpha) continue;
        formats.push_back(format);
    }
    return formats;
}

ImageFormat format_for_caps(const json::object& options, std::int64_t width, std::int64_t height) {
    if (!is_automatic_format(options)) return format_option(options);
    const auto formats = automatic_formats(width, height, true);
    return formats.empty() ? ImageFormat::png : formats.front();
}

std::int64_t encoding_pixels(const json::object& options, std::int64_t width, std::int64_t height) {
    const std::vector<ImageFormat> formats =
        is_automatic_format(options) ? automatic_formats(width, height, true) : std::vector{format_option(options)};
    const std::int64_t each = pixels_of(width, height) * (target_of(options) ? usual_tries : 1);
    std::int64_t all = 0;
    for (const ImageFormat format : formats) all += encoding_pixels(format, each);
    return all;
}

std::vector<ImageFormat> planned_formats(const json::object& options) {
    if (!is_automatic_format(options)) return {format_option(options)};
    return {automatic_choices.begin(), automatic_choices.end()};
}

}  // namespace tessera::operations
