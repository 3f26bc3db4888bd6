#include "http/message/conditional.hpp"

#include <algorithm>
#include <charconv>

#include "core/text.hpp"
#include "http/message/problems.hpp"

namespace tessera::http {
namespace {

std::string_view without_weakness(std::string_view etag) {
    return etag.starts_with("W/") ? etag.substr(2) : etag;
}

std::optional<std::uint64_t> digits(std::string_view text) {
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    // More than 64 bits is beyond any body, which is what the largest number says too.
    if (error == std::errc::result_out_of_range && end == text.data() + text.size()) return UINT64_MAX;
    if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return number;
}

ResponseBody part_of(ResponseBody body, const ByteRange& range) {
    if (auto* text = std::get_if<std::string>(&body)) return text->substr(range.first, range.length);
    if (auto* shared = std::get_if<SharedBytes>(&body)) {
        return SharedBytes{shared->owner, shared->bytes.substr(range.first, range.length)};
    }
    auto& file = std::get<FileSlice>(body);
    return FileSlice{std::move(file.file), file.offset + range.first, range.length};
}

// If-Range with anything but our strong tag means that the client's part is of other bytes.
bool range_applies(const Request& request, std::string_view etag) {
    const auto condition = request.header("If-Range");
    return !condition || (trimmed(*condition) == etag && !etag.starts_with("W/"));
}

}  // namespace

std::string strong_etag(std::string_view value) {
    return "\"" + std::string(value) + "\"";
}

bool if_none_match_names(std::string_view line, std::string_view etag) {
    std::string_view header = trimmed(line);
    if (header == "*") return true;
    etag = without_weakness(etag);
    while (!header.empty()) {
        // A tag may hold commas, so its closing quote ends it, not the next comma.
        const std::size_t open = header.find('"');
        if (open == std::string_view::npos) return false;
        const std::size_t close = header.find('"', open + 1);
        if (close == std::string_view::npos) return false;
        if (header.substr(open, close - open + 1) == etag) return true;
        header.remove_prefix(close + 1);
    }
    return false;
}

bool is_known_to(const Request& request, std::string_view etag) {
    return std::any_of(request.headers.begin(), request.headers.end(), [&](const HeaderView& header) {
        return equal_ignoring_case(header.name, "If-None-Match") && if_none_match_names(header.value, etag);
    });
}

RangeChoice choose_range(std::string_view header, std::uint64_t size) {
    header = trimmed(header);
    constexpr std::string_view unit = "bytes=";
    if (header.size() < unit.size() || !equal_ignoring_case(header.substr(0, unit.size()), unit)) return WholeBody{};
    const std::string_view spec = trimmed(header.substr(unit.size()));
    if (spec.find(',') != std::string_view::npos) return WholeBody{};
    const std::size_t dash = spec.find('-');
    if (dash == std::string_view::npos) return WholeBody{};

    const std::string_view from = trimmed(spec.substr(0, dash));
    const std::string_view to = trimmed(spec.substr(dash + 1));
    if (from.empty()) {  // the last so many bytes
        const auto suffix = digits(to);
        if (!suffix) return WholeBody{};
        if (*suffix == 0 || size == 0) return Unsatisfiable{};
        const std::uint64_t length = std::min(*suffix, size);
        return ByteRange{size - length, length};
    }
    const auto first = digits(from);
    const auto last = to.empty() ? std::optional<std::uint64_t>(UINT64_MAX) : digits(to);
    if (!first || !last || *last < *first) return WholeBody{};
    if (*first >= size) return Unsatisfiable{};
    return ByteRange{*first, std::min(*last, size - 1) - *first + 1};
}

Response apply_conditions(const Request& request, Response whole, std::string_view etag, bool ranges) {
    whole.add("ETag", etag);
    if (is_known_to(request, etag)) {
        whole.status = 304;
        whole.body = std::string();
        whole.content_type.clear();
        return whole;
    }
    if (!ranges) return whole;
    whole.add("Accept-Ranges", "bytes");
    const auto asked = request.header("Range");
    if (!asked || request.method != Method::get || !range_applies(request, etag)) return whole;

    const std::uint64_t size = size_of(whole.body);
    const RangeChoice choice = choose_range(*asked, size);
    if (std::holds_alternative<Unsatisfiable>(choice)) {
        Response refused = Response::from({ProtocolError::range_not_satisfiable, "range not satisfiable", {}});
        refused.add("Content-Range", "bytes */" + std::to_string(size));
        return refused;
    }
    if (const auto* range = std::get_if<ByteRange>(&choice)) {
        whole.status = 206;
        whole.add("Content-Range", "bytes " + std::to_string(range->first) + "-" +
                                       std::to_string(range->first + range->length - 1) + "/" + std::to_string(size));
        whole.body = part_of(std::move(whole.body), *range);
    }
    return whole;
}

}  // namespace tessera::http
