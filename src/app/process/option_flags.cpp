#include "app/process/option_flags.hpp"

#include <CLI/App.hpp>
#include <algorithm>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <fstream>
#include <iterator>
#include <utility>

#include "app/command_failed.hpp"
#include "app/fixed_values.hpp"
#include "app/process/local_job.hpp"
#include "app/process/output_name.hpp"
#include "core/plain_numbers.hpp"
#include "operations/looks_target.hpp"

namespace tessera::app {
namespace {

namespace json = boost::json;
using operations::Option;
using operations::OptionRole;
using operations::OptionType;

std::string flag_of(std::string_view name) {
    std::string flag = "--" + std::string(name);
    std::ranges::replace(flag, '_', '-');
    return flag;
}

bool is_structured(const Option& option) {
    return option.type == OptionType::list || option.type == OptionType::object;
}

// {"x": …, "y": …}: what the objects of a list are made of.
std::string fields_of(const Option& option) {
    std::string fields;
    for (const Option& field : option.fields) fields += (fields.empty() ? "" : ", ") + local_name(field);
    return fields;
}

std::string help_of(const Option& option) {
    std::string help(option.description);
    if (is_structured(option)) {
        help += option.type == OptionType::list ? " JSON, or a file with it: objects of " : " JSON, an object of ";
        help += fields_of(option) + ".";
    }
    if (!option.default_note.empty()) help += " Default: " + std::string(option.default_note) + ".";
    const bool is_empty_list = option.default_value.is_array() && option.default_value.get_array().empty();
    if (!option.default_value.is_null() && !is_empty_list) {
        help += " Default: " + with_plain_numbers(json::serialize(option.default_value)) + ".";
    }
    return help;
}

std::string contents_of(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(file), {}};
    if (!file.is_open() || file.bad()) throw CommandFailed(ExitCode::not_found, path + ": can't be read");
    return text;
}

json::value parsed(const Option& option, const std::string& text) {
    boost::system::error_code failed;
    json::value value = json::parse(text, failed);
    if (!failed) return value;
    if (is_structured(option)) throw CommandFailed(ExitCode::usage, flag_of(option.name) + ": not JSON");
    return json::value(text);
}

// A structured option may be given as a file, which is then one of the sources.
bool names_a_file(const Option& option, const std::string& typed) {
    const std::size_t first = typed.find_first_not_of(" \t\r\n");
    return is_structured(option) && (first == std::string::npos || (typed[first] != '[' && typed[first] != '{'));
}

// Words as JSON: what looks like a number or an object is one where the option wants it.
json::value value_of(const Option& option, const std::string& typed) {
    const bool text =
        option.type == OptionType::choice || option.type == OptionType::colour || option.type == OptionType::uuid;
    if (text) return json::value(typed);
    return parsed(option, names_a_file(option, typed) ? contents_of(typed) : typed);
}

// Whether its options hold a list of results, each with a format.
bool makes_several(const operations::Operation& operation) {
    const auto is_format = [](const Option& row) { return row.role == OptionRole::result_format; };
    return std::ranges::any_of(operation.options().rows(),
                               [&](const Option& row) { return std::ranges::any_of(row.fields, is_format); });
}

}  // namespace

void add_option_flag(CLI::App& command, const Option& option, TypedOptions& typed) {
    const std::string name(option.name);
    const std::string flag = flag_of(local_name(option));
    if (option.type == OptionType::boolean) {
        const auto set = [name, &typed](std::int64_t count) { typed[name] = count > 0 ? "true" : "false"; };
        command.add_flag_function(flag + ",!--no-" + flag.substr(2), set, help_of(option));
        return;
    }
    const auto set = [name, &typed](const std::string& value) { typed[name] = value; };
    CLI::Option* added =
        command.add_option_function<std::string>(flag, set, help_of(option))->required(option.is_required);
    if (option.type == OptionType::choice) takes_one_of(added, option.names);
}

json::object options_from(const operations::Operation& operation, const TypedOptions& typed, const OutputName* name,
                          const std::function<void(const std::string&)>& reads) {
    json::object options;
    for (const Option& option : operation.options().rows()) {
        const auto found = typed.find(option.name);
        const std::string words = found == typed.end() ? "" : found->second;
        if (name != nullptr && option.role == OptionRole::result_kind) options[option.name] = name->artifact(words);
        if (found == typed.end()) continue;
        options[local_name(option)] = value_of(option, words);
        if (names_a_file(option, words)) reads(words);
    }
    const Option* format = operation.options().find(OptionRole::result_format);
    if (name == nullptr || format == nullptr) return options;
    const std::string first = first_format(operation, options);
    const auto named = name->format(first);
    // Further results are what the first one is, unless they say otherwise.
    if (!options.contains(format->name) && (named || (!first.empty() && first != operations::automatic)))
        options[format->name] = named.value_or(first);
    return options;
}

std::string first_format(const operations::Operation& operation, const json::object& options) {
    std::string all;
    std::string own;
    bool is_first = true;  // of several results; the job's own options come before them
    const auto look = [&](const json::object& object, const Option& row) {
        const json::value* format = object.if_contains(row.name);
        const std::string said(format != nullptr && format->is_string() ? format->get_string() : "");
        if (&object == &options) {
            all = said;
        } else if (std::exchange(is_first, false)) {
            own = said;
        }
    };
    operations::visit_role(operation.options().rows(), options, OptionRole::result_format, look);
    return own.empty() ? all : own;
}

std::string result_description(const operations::Operation& operation) {
    if (needs_base(operation)) return "The changed archive, .pmtiles";
    const operations::OptionTable& options = operation.options();
    const Option* format = options.find(OptionRole::result_format);
    if (format != nullptr && options.find(OptionRole::result_kind) != nullptr) {
        return "The result: .pmtiles for an archive of tiles, " + extensions_of(format->names) + " for the picture";
    }
    std::string text = "The result; its extension names what it is: .webp, .pmtiles, …";
    if (makes_several(operation)) {
        text +=
            " Of several (--outputs) it is the first; the others lie beside it, with their names behind its own: "
            "small.webp, small-w640.webp";
    }
    return text;
}

}  // namespace tessera::app
