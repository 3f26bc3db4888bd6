// docs/operations.md shows the option tables as they are. UPDATE_DOCS=1 writes them there.
#include <gtest/gtest.h>

#include <boost/json/serialize.hpp>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "operations/registry.hpp"

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
                return "integer, " + std::to_string(option.minimum) + " to " + std::to_string(option.maximum);
            }
            return joined(option.values, [](std::int64_t value) { return std::to_string(value); });
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

std::string read(const std::string& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
}

TEST(OperationsPage, ShowsEveryOptionTableAsItIs) {
    const std::string path = TESSERA_SOURCE_DIR "/docs/operations.md";
    std::string page = read(path);
    const Registry registry = Registry::built_in();
    for (const auto& operation : registry.all()) {
        const std::string name(operation->name());
        const auto marker = page.find("<!-- options of " + name + ":");
        ASSERT_NE(marker, std::string::npos) << "docs/operations.md has no place for the options of " << name;
        const auto start = page.find('\n', marker) + 1;
        const auto end = page.find("<!-- end -->", start);
        ASSERT_NE(end, std::string::npos);
        if (std::getenv("UPDATE_DOCS") != nullptr) page.replace(start, end - start, table_of(*operation));
        EXPECT_EQ(page.substr(start, page.find("<!-- end -->", start) - start), table_of(*operation))
            << "run unit_operations with UPDATE_DOCS=1";
    }
    if (std::getenv("UPDATE_DOCS") != nullptr) std::ofstream(path) << page;
}

}  // namespace
}  // namespace tessera::operations
