#include "engine/wire/messages.hpp"

#include <algorithm>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

namespace tessera::engine {
namespace json = boost::json;
namespace {

bool flag_in(const json::object& message, std::string_view name) {
    const json::value* value = message.if_contains(name);
    return value != nullptr && value->is_bool() && value->get_bool();
}

// Text of a child's making, fit for logs and clients.
std::string tame(std::string_view text, std::size_t at_most) {
    std::string line(text.substr(0, at_most));
    std::ranges::replace_if(
        line, [](char c) { return c < ' ' || c > '~'; }, '?');
    return line;
}

template <typename T>
std::optional<T> in_range(std::optional<std::int64_t> value, std::int64_t low, std::int64_t high) {
    if (!value || *value < low || *value > high) return std::nullopt;
    return static_cast<T>(*value);
}

constexpr std::int64_t max_edge = 100'000'000;

}  // namespace

std::optional<json::object> parse_message(std::string_view body) {
    json::error_code error;
    json::value value = json::parse(body, error);
    if (error || !value.is_object()) return std::nullopt;
    return std::move(value.get_object());
}

std::string_view text_in(const json::object& message, std::string_view name) {
    const json::value* value = message.if_contains(name);
    return value != nullptr && value->is_string() ? std::string_view(value->get_string()) : std::string_view();
}

std::optional<std::int64_t> number_in(const json::object& message, std::string_view name) {
    const json::value* value = message.if_contains(name);
    if (value == nullptr || !value->is_int64()) return std::nullopt;
    return value->get_int64();
}

std::optional<double> fraction_in(const json::object& message, std::string_view name) {
    const json::value* value = message.if_contains(name);
    if (value == nullptr || !value->is_number()) return std::nullopt;
    const double number = value->to_number<double>();
    return number >= 0 && number <= 1 ? std::optional(number) : std::nullopt;
}

std::string_view kind_of(const json::object& message) {
    return text_in(message, "kind");
}

std::string encode(const StartMessage& start) {
    return json::serialize(json::object{{"kind", kind::start},
                                        {"fork", start.fork},
                                        {"host", start.host},
                                        {"uid", start.uid},
                                        {"memory_limit_bytes", start.memory_limit_bytes},
                                        {"file_limit_bytes", start.file_limit_bytes},
                                        {"threads", start.threads}});
}

std::optional<StartMessage> decode_start(const json::object& message) {
    const auto host = in_range<pid_t>(number_in(message, "host"), 1, INT32_MAX);
    const auto uid = in_range<uid_t>(number_in(message, "uid"), 0, UINT32_MAX);
    const auto memory = number_in(message, "memory_limit_bytes");
    const auto files = number_in(message, "file_limit_bytes");
    const auto threads = in_range<int>(number_in(message, "threads"), 1, 1024);
    if (kind_of(message) != kind::start || !host || !uid || !memory || !files || !threads) return std::nullopt;
    return StartMessage{flag_in(message, "fork"), *host, *uid, *memory, *files, *threads};
}

void add(json::object& message, const Allowance& allowance) {
    message["processor_seconds"] = allowance.processor_time.count();
    message["file_bytes"] = allowance.file_bytes;
}

Allowance decode_allowance(const json::object& message) {
    return {std::chrono::seconds(number_in(message, "processor_seconds").value_or(1)),
            number_in(message, "file_bytes").value_or(0)};
}

std::string encode(const imaging::HeaderLimits& limits, const Allowance& allowance) {
    json::object message{{"kind", kind::probe}};
    add(message, allowance);
    if (limits.max_edge) message["max_edge"] = *limits.max_edge;
    if (limits.max_pixels) message["max_pixels"] = *limits.max_pixels;
    return json::serialize(message);
}

imaging::HeaderLimits decode_limits(const json::object& message) {
    return {number_in(message, "max_edge"), number_in(message, "max_pixels")};
}

std::string encode(const ImageInfo& info) {
    return json::serialize(json::object{{"kind", kind::probed},
                                        {"format", to_string(info.format)},
                                        {"width", info.width},
                                        {"height", info.height},
                                        {"pages", info.pages},
                                        {"has_alpha", info.has_alpha},
                                        {"bits_per_sample", info.bits_per_sample},
                                        {"colour_space", info.colour_space}});
}

std::optional<ImageInfo> decode_image(const json::object& message) {
    const auto format = image_format_from_string(text_in(message, "format"));
    const auto width = in_range<std::int64_t>(number_in(message, "width"), 1, max_edge);
    const auto height = in_range<std::int64_t>(number_in(message, "height"), 1, max_edge);
    const auto pages = in_range<int>(number_in(message, "pages"), 1, INT32_MAX);
    const auto bits = in_range<int>(number_in(message, "bits_per_sample"), 1, 128);
    if (!format || !width || !height || !pages || !bits) return std::nullopt;
    return ImageInfo{*format,
                     *width,
                     *height,
                     *pages,
                     flag_in(message, "has_alpha"),
                     *bits,
                     tame(text_in(message, "colour_space"), 32)};
}

std::string encode(const JobError& error) {
    return json::serialize(json::object{{"kind", kind::failed},
                                        {"code", describe(error.code).name},
                                        {"message", tame(error.message, 400)},
                                        {"detail", tame(error.detail, 2000)}});
}

JobError decode_error(const json::object& message) {
    const auto code = job_error_code_from_string(text_in(message, "code"));
    return {code.value_or(JobErrorCode::internal_error), tame(text_in(message, "message"), 400),
            tame(text_in(message, "detail"), 2000)};
}

std::string encode(const std::vector<Protection>& protections) {
    json::array list;
    for (const Protection& part : protections) {
        list.push_back(json::object{{"name", part.name}, {"in_force", part.in_force}, {"note", part.note}});
    }
    return json::serialize(json::object{{"kind", kind::ready}, {"protections", std::move(list)}});
}

std::vector<Protection> decode_protections(const json::object& message) {
    std::vector<Protection> protections;
    const json::value* list = message.if_contains("protections");
    if (list == nullptr || !list->is_array()) return protections;
    for (const json::value& part : list->get_array()) {
        if (!part.is_object() || protections.size() >= 32) continue;
        const json::object& object = part.get_object();
        protections.push_back(
            {tame(text_in(object, "name"), 40), flag_in(object, "in_force"), tame(text_in(object, "note"), 100)});
    }
    return protections;
}

}  // namespace tessera::engine
