// Makers of settings, one per kind of value: `count("a.b", {1, 64}, "what it means", [](auto& c) -> auto& { … })`.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/config/setting.hpp"
#include "app/config/values.hpp"

namespace tessera::app {

struct Range {
    std::int64_t least = 0;
    std::int64_t most = std::numeric_limits<std::int64_t>::max();

    [[nodiscard]] bool holds(std::int64_t value) const { return value >= least && value <= most; }
};

namespace detail {

inline const std::string* text_of(const RawValue& raw) {
    return std::get_if<std::string>(&raw);
}

template <typename Parse, typename Member>
Setting::Set set_parsed(Parse parse, Range range, Member member) {
    return [=](Config& config, const RawValue& raw) {
        const std::string* text = text_of(raw);
        if (text == nullptr) return false;
        const std::optional<std::int64_t> value = parse(*text);
        if (!value || !range.holds(*value)) return false;
        auto& target = member(config);
        using Target = std::remove_reference_t<decltype(target)>;
        target = static_cast<Target>(*value);
        return true;
    };
}

inline std::string between(const Range& range, std::string (*format)(std::int64_t)) {
    if (range.most == std::numeric_limits<std::int64_t>::max()) return "at least " + format(range.least);
    return "from " + format(range.least) + " to " + format(range.most);
}

}  // namespace detail

template <typename Member>
Setting flag(std::string_view name, std::string_view description, Member member) {
    return {name, "true or false", description,
            [=](Config& config, const RawValue& raw) {
                const std::string* text = detail::text_of(raw);
                const std::optional<bool> value = text == nullptr ? std::nullopt : parse_flag(*text);
                if (value) member(config) = *value;
                return value.has_value();
            },
            [=](const Config& config) -> std::string { return member(config) ? "true" : "false"; }};
}

template <typename Member>
Setting count(std::string_view name, Range range, std::string_view description, Member member) {
    const auto format = [](std::int64_t n) { return std::to_string(n); };
    return {name, "a whole number " + detail::between(range, format), description,
            detail::set_parsed([](const std::string& text) { return parse_count(text); }, range, member),
            [=](const Config& config) { return std::to_string(member(config)); }};
}

template <typename Member>
Setting bytes(std::string_view name, Range range, std::string_view description, Member member) {
    return {name, "a size such as 64KiB or 20MiB, " + detail::between(range, format_bytes), description,
            detail::set_parsed([](const std::string& text) { return parse_bytes(text); }, range, member),
            [=](const Config& config) { return format_bytes(static_cast<std::int64_t>(member(config))); }};
}

// A member of any std::chrono duration; a value that it can't hold exactly is refused.
template <typename Member>
Setting duration(std::string_view name, std::chrono::milliseconds least, std::chrono::milliseconds most,
                 std::string_view description, Member member) {
    return {name,
            "a time such as 250ms, 15s, 5m, 2h or 7d, from " + format_duration(least) + " to " + format_duration(most),
            description,
            [=](Config& config, const RawValue& raw) {
                const std::string* text = detail::text_of(raw);
                const auto value = text == nullptr ? std::nullopt : parse_duration(*text);
                if (!value || *value < least || *value > most) return false;
                auto& target = member(config);
                using Target = std::remove_reference_t<decltype(target)>;
                const auto exact = std::chrono::duration_cast<Target>(*value);
                if (exact != *value) return false;
                target = exact;
                return true;
            },
            [=](const Config& config) {
                return format_duration(std::chrono::duration_cast<std::chrono::milliseconds>(member(config)));
            }};
}

// A list of times.
template <typename Member>
Setting durations(std::string_view name, std::chrono::milliseconds least, std::chrono::milliseconds most,
                  std::size_t longest, std::string_view description, Member member) {
    return {name,
            "a list of up to " + std::to_string(longest) + " times such as 15s or 2h, from " + format_duration(least) +
                " to " + format_duration(most),
            description,
            [=](Config& config, const RawValue& raw) {
                const std::string* value = detail::text_of(raw);
                const std::vector<std::string> items =
                    value == nullptr ? std::get<std::vector<std::string>>(raw) : split_list(*value);
                std::vector<std::chrono::milliseconds> times;
                for (const std::string& item : items) {
                    const auto time = parse_duration(item);
                    if (!time || *time < least || *time > most) return false;
                    times.push_back(*time);
                }
                if (times.size() > longest) return false;
                member(config) = std::move(times);
                return true;
            },
            [=](const Config& config) {
                std::string joined;
                for (const auto time : member(config)) (joined += joined.empty() ? "" : ",") += format_duration(time);
                return joined;
            }};
}

// Any text that `accepts` takes.
template <typename Member>
Setting text(std::string_view name, std::string expected, bool (*accepts)(std::string_view),
             std::string_view description, Member member) {
    return {name, std::move(expected), description,
            [=](Config& config, const RawValue& raw) {
                const std::string* value = detail::text_of(raw);
                if (value == nullptr || !accepts(*value)) return false;
                member(config) = *value;
                return true;
            },
            [=](const Config& config) -> std::string { return member(config); }};
}

template <typename Member>
Setting choice(std::string_view name, std::vector<std::string_view> choices, std::string_view description,
               Member member) {
    std::string expected = "one of ";
    for (std::size_t i = 0; i < choices.size(); ++i) (expected += i == 0 ? "" : ", ") += choices[i];
    return {name, std::move(expected), description,
            [=](Config& config, const RawValue& raw) {
                const std::string* value = detail::text_of(raw);
                if (value == nullptr) return false;
                for (const std::string_view known : choices) {
                    if (*value != known) continue;
                    member(config) = *value;
                    return true;
                }
                return false;
            },
            [=](const Config& config) -> std::string { return member(config); }};
}

// A list; in a file an array, elsewhere items with commas between them.
template <typename Member>
Setting list_of(std::string_view name, const std::string& expected_item, bool (*accepts_item)(std::string_view),
                bool may_be_empty, std::string_view description, Member member) {
    return {name, std::string(may_be_empty ? "a list, which may be empty, of " : "a list of ") + expected_item,
            description,
            [=](Config& config, const RawValue& raw) {
                const std::string* value = detail::text_of(raw);
                const std::vector<std::string> items =
                    value == nullptr ? std::get<std::vector<std::string>>(raw) : split_list(*value);
                if (items.empty() && !may_be_empty) return false;
                for (const std::string& item : items) {
                    if (!accepts_item(item)) return false;
                }
                member(config) = items;
                return true;
            },
            [=](const Config& config) {
                std::string joined;
                for (const std::string& item : member(config)) (joined += joined.empty() ? "" : ",") += item;
                return joined;
            }};
}

}  // namespace tessera::app
