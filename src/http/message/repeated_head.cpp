#include "http/message/repeated_head.hpp"

#include <algorithm>

#include "http/message/request_rules.hpp"

namespace tessera::http {
namespace {

constexpr std::string_view method = "GET ";
constexpr std::string_view version = " HTTP/1.1\r\n";

}  // namespace

std::optional<RepeatedHead::Found> RepeatedHead::find(std::string_view bytes, const ParserLimits& limits,
                                                      std::vector<HeaderView>& headers) const {
    if (block_.empty() || !bytes.starts_with(method)) return std::nullopt;
    const std::size_t target_end = bytes.find(' ', method.size());
    if (target_end == std::string_view::npos) return std::nullopt;
    const std::string_view target = bytes.substr(method.size(), target_end - method.size());
    const std::size_t line_size = target_end + version.size();
    const std::size_t size = line_size + block_.size();
    if (target.empty() || target.size() > limits.max_target_bytes || size > limits.max_head_bytes) return std::nullopt;
    const std::string_view rest = bytes.substr(target_end);
    if (!rest.starts_with(version) || !rest.substr(version.size()).starts_with(block_)) return std::nullopt;
    if (!is_visible_ascii(target)) return std::nullopt;

    const char* const block = bytes.data() + line_size;
    headers.clear();
    for (const Place& place : places_) {
        headers.push_back({{block + place.name, place.name_size}, {block + place.value, place.value_size}});
    }
    return Found{target, size};
}

void RepeatedHead::remember(std::string_view head, const std::vector<HeaderView>& headers) {
    block_.clear();
    places_.clear();
    const std::size_t line_end = head.find("\r\n");
    if (!head.starts_with(method) || line_end == std::string_view::npos) return;
    const std::string_view block = head.substr(line_end + 2);
    if (block.size() > most_bytes) return;
    const auto offset = [&](std::string_view view) { return static_cast<std::uint16_t>(view.data() - block.data()); };
    const auto size = [](std::string_view view) { return static_cast<std::uint16_t>(view.size()); };
    for (const auto& [name, value] : headers) {
        // An empty value may lie anywhere.
        places_.push_back({offset(name), size(name), value.empty() ? offset(name) : offset(value), size(value)});
    }
    block_ = block;
}

}  // namespace tessera::http
