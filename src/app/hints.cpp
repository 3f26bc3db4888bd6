#include "app/hints.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "app/common_options.hpp"
#include "app/config/load.hpp"
#include "app/config/setting.hpp"

namespace tessera::app {
namespace {

// Where things are; whatever else was set is the server's business.
constexpr std::array<std::string_view, 4> sections{"data", "metadata", "blobs", "signing"};

// "key=value" as it may be shown: nobody's password is repeated.
std::string shown(const std::string& set) {
    const std::size_t equals = set.find('=');
    const Setting* setting = find_setting(set.substr(0, equals));
    if (setting == nullptr || setting->secrecy() == Secrecy::open) return set;
    Config config;
    const bool good = setting->set(config, set.substr(equals + 1));
    return good && setting->shown_in(config) == setting->value_in(config) ? set : set.substr(0, equals) + "=…";
}

std::string sets_of(const CommonOptions& options, bool with_data_folder) {
    std::string words;
    for (const std::string& set : options.sets) {
        const std::string section = set.substr(0, set.find('.'));
        if (std::ranges::find(sections, section) == sections.end()) continue;
        if (section == "data" && !with_data_folder) continue;
        words += " --set " + shell_word(shown(set));
    }
    return words;
}

}  // namespace

std::string name_of_this_program() {
    std::error_code error;
    const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
    if (error) return "tessera";
    const char* path = std::getenv("PATH");
    std::istringstream folders(path == nullptr ? "" : path);
    for (std::string folder; std::getline(folders, folder, ':');) {
        if (std::filesystem::equivalent(std::filesystem::path(folder) / program.filename(), program, error)) {
            return program.filename().string();
        }
    }
    return program.string();
}

std::string shell_word(std::string_view text) {
    constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./-";
    if (!text.empty() && text.find_first_not_of(plain) == std::string_view::npos) return std::string(text);
    std::string word = "'";
    for (const char c : text) word += c == '\'' ? "'\\''" : std::string(1, c);
    return word + "'";
}

std::string admin_command(const CommonOptions& options) {
    std::string command = shell_word(name_of_this_program()) + " admin";
    if (!options.config_file.empty()) command += " --config " + shell_word(options.config_file);
    command += sets_of(options, true);
    for (const Assignment& given : options.shorthands) {
        if (given.key == "data.dir") command += " --data-dir " + shell_word(given.value);
    }
    return command;
}

std::string admin_command_from_anywhere(const CommonOptions& options, const LoadedConfig& loaded) {
    namespace fs = std::filesystem;
    std::string command = shell_word(name_of_this_program()) + " admin";
    bool folder_is_in_file = false;
    if (!options.config_file.empty()) {
        command += " --config " + shell_word(fs::absolute(options.config_file).lexically_normal().string());
        const auto origin = loaded.origins.find("data.dir");
        folder_is_in_file = origin != loaded.origins.end() && origin->second.starts_with(options.config_file + ":");
    }
    command += sets_of(options, false);
    if (folder_is_in_file) return command;
    return command + " --data-dir " + shell_word(fs::absolute(loaded.config.data.dir).lexically_normal().string());
}

}  // namespace tessera::app
