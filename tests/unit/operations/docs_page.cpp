#include "docs_page.hpp"

#include <boost/json/serialize.hpp>

namespace tessera::operations {
namespace {

std::string joined(const auto& items, auto&& text_of) {
    std::string out;
    for (const auto& item : items) out += (out.empty() ? "`" : ", `") + std::string(text_of(item)) + "`";
    return out;
}

std::string type_of(const Option& option) {
    switch (option.type) {
        case OptionType::integer:
            if (option.values.empty()) {
                return "integer, " + std::to_string(option.minimum) + " to " + std::to_string(option.maximum) +
                       (option.names.empty() ? "" : "; or " + joined(option.names, [](auto name) { return name; }));
            }
            return joined(option.values, [](std::int64_t value) { return std::to_string(value); });
        case OptionType::number: return "number, " + number_text(option.least) + " to " + number_text(option.most);
        case OptionType::boolean: return "boolean";
        case OptionType::choice: return joined(option.names, [](std::string_view name) { return name; });
        case OptionType::colour: return "colour";
        case OptionType::uuid: return "uuid";
        case OptionType::object: return "object";
        case OptionType::list:
            return "list of " + std::to_string(option.minimum) + " to " + std::to_string(option.maximum) + " objects";
    }
    return "";
}

std::string default_of(const Option& option) {
    if (option.is_required) return "required";
    if (!option.default_note.empty()) return std::string(option.default_note);
    if (option.default_value.is_null()) return "–";
    if (option.default_value.is_string()) return "`" + std::string(option.default_value.as_string().c_str()) + "`";
    return "`" + boost::json::serialize(option.default_value) + "`";
}

void add_rows(std::string& out, std::span<const Option> options, const std::string& prefix) {
    for (const Option& option : options) {
        const std::string name = prefix + std::string(option.name);
        out += "| `" + name + "` | " + type_of(option) + " | " + default_of(option) + " | " +
               std::string(option.description) + " |\n";
        if (option.type == OptionType::list) add_rows(out, option.fields, name + "[].");
        if (option.type == OptionType::object) add_rows(out, option.fields, name + ".");
    }
}

std::string table_of(const Operation& operation) {
    std::string out = "| option | value | default | meaning |\n|---|---|---|---|\n";
    add_rows(out, operation.options().rows(), "");
    return out;
}

std::size_t place_of(const std::string& page, const Operation& operation) {
    return page.find("<!-- options of " + std::string(operation.name()) + ":");
}

}  // namespace

std::string with_option_tables(std::string page, const Registry& registry) {
    for (const auto& operation : registry.all()) {
        const std::size_t place = place_of(page, *operation);
        if (place == std::string::npos) continue;
        const std::size_t start = page.find('\n', place) + 1;
        page.replace(start, page.find("<!-- end -->", start) - start, table_of(*operation));
    }
    return page;
}

std::vector<std::string> operations_missing_in(const std::string& page, const Registry& registry) {
    std::vector<std::string> missing;
    for (const auto& operation : registry.all()) {
        if (place_of(page, *operation) == std::string::npos) missing.emplace_back(operation->name());
    }
    return missing;
}

}  // namespace tessera::operations
