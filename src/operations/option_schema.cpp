// The JSON Schema face of an option table.
#include <boost/json/array.hpp>

#include "operations/option_table.hpp"

namespace tessera::operations {
namespace json = boost::json;
namespace {

json::object schema_of(std::span<const Option> fields);

json::array array_of(const auto& items) {
    json::array out;
    for (const auto& item : items) out.emplace_back(item);
    return out;
}

json::object schema_of_integer(const Option& option) {
    json::object schema{{"type", "integer"}};
    if (option.values.empty()) {
        schema["minimum"] = option.minimum;
        schema["maximum"] = option.maximum;
    } else {
        schema["enum"] = array_of(option.values);
    }
    if (option.names.empty()) return schema;
    return {{"oneOf", {std::move(schema), {{"type", "string"}, {"enum", array_of(option.names)}}}}};
}

json::object schema_of(const Option& option) {
    json::object schema;
    switch (option.type) {
        case OptionType::integer: schema = schema_of_integer(option); break;
        case OptionType::number:
            schema["type"] = "number";
            schema["minimum"] = option.least;
            schema["maximum"] = option.most;
            break;
        case OptionType::boolean: schema["type"] = "boolean"; break;
        case OptionType::choice:
            schema["type"] = "string";
            schema["enum"] = array_of(option.names);
            break;
        case OptionType::colour:
            schema["$ref"] = colour_schema;  // 148 names, told once
            break;
        case OptionType::uuid:
            schema["type"] = "string";
            schema["format"] = "uuid";
            break;
        case OptionType::object: schema = schema_of(option.fields); break;
        case OptionType::list:
            schema["type"] = "array";
            schema["minItems"] = option.minimum;
            schema["maxItems"] = option.maximum;
            schema["items"] = schema_of(option.fields);
            break;
    }
    std::string description(option.description);
    if (!option.default_note.empty()) description += " Default: " + std::string(option.default_note) + ".";
    schema["description"] = description;
    if (!option.default_value.is_null()) schema["default"] = option.default_value;
    return schema;
}

json::object schema_of(std::span<const Option> fields) {
    json::object properties;
    json::array required;
    for (const Option& option : fields) {
        properties[option.name] = schema_of(option);
        if (option.is_required) required.emplace_back(option.name);
    }
    json::object schema{{"type", "object"}, {"additionalProperties", false}, {"properties", std::move(properties)}};
    if (!required.empty()) schema["required"] = std::move(required);
    return schema;
}

}  // namespace

json::object OptionTable::schema() const {
    return schema_of(std::span<const Option>(options_));
}

}  // namespace tessera::operations
