#include "app/config/load.hpp"

#include <unistd.h>

#include <algorithm>
#include <charconv>

#include "app/config/setting.hpp"
#include "app/config/values.hpp"
#include "app/toml_text.hpp"
#include "core/file.hpp"

namespace tessera::app {
namespace {

constexpr std::string_view environment_prefix = "TESSERA_";
constexpr std::uint64_t largest_file = 1 << 20;

std::string quoted(const RawValue& raw) {
    if (const auto* text = std::get_if<std::string>(&raw)) return '"' + *text + '"';
    std::string joined = "[";
    for (const std::string& item : std::get<std::vector<std::string>>(raw))
        (joined += joined.size() > 1 ? ", \"" : "\"") += item + '"';
    return joined + "]";
}

std::string did_you_mean(std::string_view word, const std::vector<std::string>& known) {
    const std::vector<std::string_view> views(known.begin(), known.end());
    const auto near = closest(word, views);
    return near ? "; did you mean " + std::string(*near) + "?" : "; `tessera config reference` lists all keys";
}

class Loader {
  public:
    void add_file(const std::string& path);
    void add_environment(const std::vector<std::pair<std::string, std::string>>& environment);
    void add_assignments(const std::vector<Assignment>& assignments);
    void raise_what_is_too_low();
    LoadedConfig finish() { return std::move(loaded_); }

  private:
    void add_table(const toml::table& table, const std::string& prefix, const std::string& path);
    void assign(std::string_view key, const RawValue& raw, const std::string& origin);
    void complain(std::string problem) { loaded_.problems.push_back(std::move(problem)); }

    LoadedConfig loaded_;
    std::optional<std::filesystem::path> folder_of_file_;  // while a file is read
};

void Loader::assign(std::string_view key, const RawValue& raw, const std::string& origin) {
    const Setting* setting = find_setting(key);
    if (setting == nullptr) {
        std::vector<std::string> names;
        for (const Setting& known : all_settings()) names.emplace_back(known.name());
        complain(origin + ": unknown key " + std::string(key) + did_you_mean(key, names));
        return;
    }
    if (!setting->set(loaded_.config, folder_of_file_ ? setting->from_file_in(*folder_of_file_, raw) : raw)) {
        const std::string given = setting->secrecy() == Secrecy::open ? quoted(raw) : "a value that is not shown";
        complain(origin + ": " + std::string(key) + " is " + given + ", expected " + setting->expected());
        return;
    }
    loaded_.origins.insert_or_assign(std::string(key), origin);
}

// A scalar as it would be written with --set.
std::optional<std::string> scalar_text(const toml::node& node) {
    if (const auto* text = node.as_string()) return text->get();
    if (const auto* number = node.as_integer()) return std::to_string(number->get());
    if (const auto* flag = node.as_boolean()) return flag->get() ? "true" : "false";
    if (const auto* number = node.as_floating_point()) {
        char text[32];
        return std::string(text, std::to_chars(std::begin(text), std::end(text), number->get()).ptr);
    }
    return std::nullopt;
}

void Loader::add_table(const toml::table& table, const std::string& prefix, const std::string& path) {
    for (const auto& [name, node] : table) {
        const std::string key = prefix + std::string(name.str());
        const std::string origin = path + ":" + std::to_string(node.source().begin.line);
        if (const toml::table* inner = node.as_table()) {
            add_table(*inner, key + ".", path);
        } else if (const toml::array* array = node.as_array()) {
            std::vector<std::string> items;
            bool all_scalars = true;
            for (const toml::node& item : *array) {
                const auto text = scalar_text(item);
                all_scalars = all_scalars && text.has_value();
                items.push_back(text.value_or(""));
            }
            if (all_scalars) {
                assign(key, items, origin);
            } else {
                complain(origin + ": " + key + " is a list of something other than texts, numbers and flags");
            }
        } else if (const auto text = scalar_text(node)) {
            assign(key, *text, origin);
        } else {
            complain(origin + ": " + key + " is neither a text, a number, a flag nor a list");
        }
    }
}

void Loader::add_file(const std::string& path) {
    if (access(path.c_str(), R_OK) != 0) {
        complain(path + ": can't be read: " + std::generic_category().message(errno));
        return;
    }
    const Result<std::string> text = read_whole_file(path, largest_file);
    if (!text) return complain(path + ": " + told(text.error()));
    const Result<toml::table> table = parse_toml(*text, path);
    if (!table) return complain(table.error().message);
    folder_of_file_ = std::filesystem::absolute(path).parent_path();
    add_table(*table, "", path);
    folder_of_file_.reset();
}

void Loader::add_environment(const std::vector<std::pair<std::string, std::string>>& environment) {
    std::vector<std::string> names;
    for (const Setting& setting : all_settings()) names.push_back(setting.environment_name());
    for (const auto& [name, value] : environment) {
        // Without a double underscore it is no key of ours: TESSERA_CONFIG, or something of the user's own.
        if (!name.starts_with(environment_prefix) || name.find("__") == std::string::npos) continue;
        const auto found = std::find(names.begin(), names.end(), name);
        if (found == names.end()) {
            complain("environment: unknown " + name + did_you_mean(name, names));
        } else {
            assign(all_settings()[static_cast<std::size_t>(found - names.begin())].name(), value,
                   "environment " + name);
        }
    }
}

void Loader::add_assignments(const std::vector<Assignment>& assignments) {
    for (const Assignment& assignment : assignments) assign(assignment.key, assignment.value, assignment.origin);
}

// A version of a tileset outlives every address of it that was handed out while it was current.
void Loader::raise_what_is_too_low() {
    Config& config = loaded_.config;
    if (config.retention.keep_old_versions >= config.signing.tile_url_lifetime) return;
    const std::string key = "retention.keep_old_versions";
    const std::string asked = format_duration(config.retention.keep_old_versions);
    const std::string given = format_duration(config.signing.tile_url_lifetime);
    config.retention.keep_old_versions = config.signing.tile_url_lifetime;
    std::string& origin = loaded_.origins.try_emplace(key, "default").first->second;
    origin += ", raised from " + asked + ": not less than signing.tile_url_ttl";
    loaded_.raised.push_back(key + " is " + given + " and not " + asked +
                             ": a version of a tileset is kept for as long as " +
                             "addresses of its tiles live (signing.tile_url_ttl)");
}

}  // namespace

LoadedConfig load_config(const ConfigSources& sources) {
    Loader loader;
    if (sources.file) loader.add_file(*sources.file);
    loader.add_environment(sources.environment);
    loader.add_assignments(sources.assignments);
    loader.raise_what_is_too_low();
    return loader.finish();
}

std::vector<std::pair<std::string, std::string>> current_environment() {
    std::vector<std::pair<std::string, std::string>> all;
    for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
        const std::string_view text = *entry;
        const std::size_t equals = text.find('=');
        if (equals != std::string_view::npos) all.emplace_back(text.substr(0, equals), text.substr(equals + 1));
    }
    return all;
}

}  // namespace tessera::app
