#include "operations/option_table.hpp"

#include <algorithm>
#include <array>
#include <boost/json/array.hpp>
#include <charconv>
#include <cmath>
#include <utility>

#include "core/colour.hpp"
#include "core/uuid.hpp"
#include "operations/suggestion.hpp"

namespace tessera::operations {
namespace json = boost::json;
namespace {

std::string one_of_these(std::span<const std::int64_t> numbers) {
    std::vector<std::string> texts;
    for (const std::int64_t number : numbers) texts.push_back(std::to_string(number));
    const std::vector<std::string_view> views(texts.begin(), texts.end());
    return operations::one_of_these(views);
}

bool is_digits(std::string_view text) {
    return text.find_first_not_of("0123456789") == std::string_view::npos;
}

// JSON tells 800 from "800", and so do we; who writes the latter is told.
Error not_a_number(const std::string& rule, const json::value& value, bool takes_words = false) {
    const bool is_quoted = value.is_string() && (!takes_words || is_digits(value.get_string()));
    if (!is_quoted) return invalid_option(rule);
    return invalid_option(rule).with_hint("write the number without quotes");
}

// JSON does not tell 800 from 800.0, so neither do we; NaN, infinities (1e999) and fractions are no integers.
std::optional<std::int64_t> as_integer(const json::value& value) {
    if (value.is_int64()) return value.get_int64();
    if (!value.is_double()) return std::nullopt;  // a uint64 here is over every maximum
    const double number = value.get_double();
    constexpr double exact_up_to = 9007199254740992.0;
    if (!(std::abs(number) <= exact_up_to) || number != std::trunc(number)) return std::nullopt;
    return static_cast<std::int64_t>(number);
}

bool is_one_of(const json::value& value, std::span<const std::string_view> names) {
    return value.is_string() && std::ranges::count(names, std::string_view(value.get_string())) > 0;
}

Result<json::value> parse_integer(const Option& option, const std::string& path, const json::value& value) {
    const auto number = as_integer(value);
    if (is_one_of(value, option.names)) return value;
    if (!option.values.empty()) {
        if (number && std::ranges::count(option.values, *number) > 0) return json::value(*number);
        return not_a_number(path + " must be " + one_of_these(option.values), value);
    }
    if (number && *number >= option.minimum && *number <= option.maximum) return json::value(*number);
    std::string rule =
        path + " must be an integer from " + std::to_string(option.minimum) + " to " + std::to_string(option.maximum);
    if (!option.names.empty()) rule += ", or " + operations::one_of_these(option.names);
    return not_a_number(rule, value, !option.names.empty());
}

Result<json::value> parse_number(const Option& option, const std::string& path, const json::value& value) {
    if (const auto whole = as_integer(value)) {
        const auto number = static_cast<double>(*whole);
        if (number >= option.least && number <= option.most) return json::value(*whole);
    } else if (value.is_double() && value.get_double() >= option.least && value.get_double() <= option.most) {
        return value;
    }
    return not_a_number(
        path + " must be a number from " + number_text(option.least) + " to " + number_text(option.most), value);
}

Result<json::value> parse_choice(const Option& option, const std::string& path, const json::value& value) {
    if (is_one_of(value, option.names)) return value;
    return invalid_option(path + " must be " + operations::one_of_these(option.names));
}

Result<json::value> parse_colour(const std::string& path, const json::value& value) {
    if (value.is_string()) {
        if (const auto colour = Colour::parse(std::string_view(value.get_string()))) {
            return json::value(json::string(colour->to_string()));
        }
    }
    Error error = invalid_option(path + " must be a colour such as #ffffff, #ffffff80, white or transparent");
    if (!value.is_string()) return error;
    std::vector<std::string_view> names{"transparent"};
    for (const NamedColour& named : named_colours()) names.push_back(named.name);
    const auto near = nearest(std::string_view(value.get_string()), names);
    return std::move(error).with_hint(
        near ? "did you mean \"" + std::string(*near) + "\"?"
             : "colours are #rgb, #rgba, #rrggbb, #rrggbbaa, transparent or a name that CSS has, such as navy");
}

Result<json::value> parse_uuid(const std::string& path, const json::value& value) {
    if (value.is_string()) {
        if (const auto id = Uuid::parse(std::string_view(value.get_string()))) {
            return json::value(json::string(id->to_string()));
        }
    }
    return invalid_option(path + " must be a valid uuid");
}

Result<json::object> parse_fields(std::span<const Option> fields, const std::string& prefix, const json::object& given);

Result<json::value> parse_list(const Option& option, const std::string& path, const json::value& value) {
    if (!value.is_array()) return invalid_option(path + " must be an array of objects");
    const json::array& items = value.get_array();
    const auto count = static_cast<std::int64_t>(items.size());
    if (count < option.minimum || count > option.maximum) {
        return invalid_option(path + " must have " + std::to_string(option.minimum) + " to " +
                              std::to_string(option.maximum) + " items");
    }
    json::array out;
    out.reserve(items.size());
    for (std::size_t i = 0; i < items.size(); ++i) {
        const std::string item_path = path + "[" + std::to_string(i) + "]";
        if (!items[i].is_object()) return invalid_option(item_path + " must be an object");
        auto item = parse_fields(option.fields, item_path + ".", items[i].get_object());
        if (!item) return std::move(item).error();
        out.emplace_back(std::move(*item));
    }
    return json::value(std::move(out));
}

Result<json::value> parse_value(const Option& option, const std::string& path, const json::value& value) {
    switch (option.type) {
        case OptionType::integer: return parse_integer(option, path, value);
        case OptionType::number: return parse_number(option, path, value);
        case OptionType::choice: return parse_choice(option, path, value);
        case OptionType::colour: return parse_colour(path, value);
        case OptionType::uuid: return parse_uuid(path, value);
        case OptionType::list: return parse_list(option, path, value);
        case OptionType::boolean:
            if (value.is_bool()) return value;
            return invalid_option(path + " must be true or false");
        case OptionType::object: {
            if (!value.is_object()) return invalid_option(path + " must be an object");
            auto parsed = parse_fields(option.fields, path + ".", value.get_object());
            if (!parsed) return std::move(parsed).error();
            return json::value(std::move(*parsed));
        }
    }
    return internal_error("an option type without a parser");
}

Result<void> refuse_unknown(std::span<const Option> fields, const std::string& prefix, const json::object& given) {
    for (const auto& entry : given) {
        const std::string_view key = entry.key();
        if (std::ranges::any_of(fields, [&](const Option& option) { return option.name == key; })) continue;
        std::vector<std::string_view> known;
        for (const Option& option : fields) known.push_back(option.name);
        std::string message = "unknown option \"" + prefix + shortened(key) + "\"";
        if (const auto near = nearest(key, known)) message += "; did you mean \"" + std::string(*near) + "\"?";
        return invalid_option(std::move(message));
    }
    return {};
}

Result<json::object> parse_fields(std::span<const Option> fields, const std::string& prefix,
                                  const json::object& given) {
    if (auto known = refuse_unknown(fields, prefix, given); !known) return std::move(known).error();
    json::object out;
    out.reserve(fields.size());
    for (const Option& option : fields) {
        const std::string path = prefix + std::string(option.name);
        if (const json::value* value = given.if_contains(option.name)) {
            auto parsed = parse_value(option, path, *value);
            if (!parsed) return std::move(parsed).error();
            out.emplace(option.name, std::move(*parsed));
        } else if (option.is_required) {
            return invalid_option(path + " is required");
        } else if (option.type == OptionType::object && !option.is_absent_by_default) {
            auto defaults = parse_fields(option.fields, path + ".", {});
            if (!defaults) return std::move(defaults).error();
            out.emplace(option.name, std::move(*defaults));
        } else if (!option.default_value.is_null()) {
            out.emplace(option.name, option.default_value);
        }
    }
    return out;
}

json::object fields_in_order(std::span<const Option> fields, const json::object& options) {
    json::object out;
    out.reserve(fields.size());
    for (const Option& option : fields) {
        const json::value* value = options.if_contains(option.name);
        if (value == nullptr) continue;
        if (option.type != OptionType::list) {
            out.emplace(option.name, *value);
            continue;
        }
        json::array items;
        items.reserve(value->as_array().size());
        for (const json::value& item : value->as_array()) {
            items.emplace_back(fields_in_order(option.fields, item.as_object()));
        }
        out.emplace(option.name, std::move(items));
    }
    return out;
}

Option make(std::string_view name, OptionType type, std::string_view description) {
    Option option;
    option.name = name;
    option.type = type;
    option.description = description;
    return option;
}

}  // namespace

Option Option::required() && {
    is_required = true;
    return std::move(*this);
}

Option Option::defaults_to(json::value value) && {
    default_value = std::move(value);
    return std::move(*this);
}

Option Option::filled_in(std::string_view note) && {
    default_note = note;
    return std::move(*this);
}

Option Option::with_role(OptionRole its) && {
    role = its;
    return std::move(*this);
}

Option Option::absent_by_default() && {
    is_absent_by_default = true;
    return std::move(*this);
}

Option Option::or_named(std::vector<std::string_view> words) && {
    names = std::move(words);
    return std::move(*this);
}

Option integer(std::string_view name, std::int64_t minimum, std::int64_t maximum, std::string_view description) {
    Option option = make(name, OptionType::integer, description);
    option.minimum = minimum;
    option.maximum = maximum;
    return option;
}

Option number(std::string_view name, double least, double most, std::string_view description) {
    Option option = make(name, OptionType::number, description);
    option.least = least;
    option.most = most;
    return option;
}

Option one_of(std::string_view name, std::initializer_list<std::int64_t> values, std::string_view description) {
    Option option = make(name, OptionType::integer, description);
    option.values = values;
    return option;
}

Option choice(std::string_view name, std::vector<std::string_view> names, std::string_view description) {
    Option option = make(name, OptionType::choice, description);
    option.names = std::move(names);
    return option;
}

Option boolean(std::string_view name, std::string_view description) {
    return make(name, OptionType::boolean, description);
}

Option colour(std::string_view name, std::string_view description) {
    return make(name, OptionType::colour, description);
}

Option uuid(std::string_view name, std::string_view description) {
    return make(name, OptionType::uuid, description);
}

Option asset(std::string_view name, std::string_view description) {
    return uuid(name, description).with_role(OptionRole::asset);
}

Option tileset(std::string_view name, std::string_view description) {
    return uuid(name, description).with_role(OptionRole::tileset);
}

Option object(std::string_view name, std::vector<Option> fields, std::string_view description) {
    Option option = make(name, OptionType::object, description);
    option.fields = std::move(fields);
    return option;
}

Option list(std::string_view name, std::int64_t minimum, std::int64_t maximum, std::vector<Option> fields,
            std::string_view description) {
    Option option = make(name, OptionType::list, description);
    option.minimum = minimum;
    option.maximum = maximum;
    option.fields = std::move(fields);
    return option;
}

Result<json::object> OptionTable::parse(const json::object& given) const {
    return parse_fields(options_, "", given);
}

json::object OptionTable::in_order(const json::object& options) const {
    return fields_in_order(options_, options);
}

const Option* OptionTable::find(OptionRole role) const {
    const auto found = std::ranges::find(options_, role, &Option::role);
    return found == options_.end() ? nullptr : &*found;
}

std::string number_text(double number) {
    std::array<char, 32> text{};
    const auto [end, failed] = std::to_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed);
    return failed == std::errc() ? std::string(text.data(), end) : std::string();
}

Error invalid_option(std::string message) {
    return {ErrorCode::invalid_option, std::move(message), {}};
}

}  // namespace tessera::operations
