#include <boost/json/serialize.hpp>
#include <boost/json/string.hpp>
#include <sstream>

#include "app/config/print.hpp"
#include "app/config/setting.hpp"

namespace tessera::app {
namespace {

constexpr std::string_view head =
    R"(# Settings of Tessera. A key after a # has its default: take the # away and change it. See tessera.toml(5);
# `tessera config print --config FILE` checks this file and shows what is in force. The service reads it when it starts.
)";
constexpr std::size_t widest_comment = 110;

std::string in_quotes(std::string_view text) {
    return boost::json::serialize(boost::json::string(text));
}

// As one would write it by hand: numbers, true and false bare, lists as arrays, all else in quotes.
std::string toml_value(const Setting& setting, const std::string& value) {
    const std::string& expected = setting.expected();
    const bool is_bare = expected == "true or false" || expected.starts_with("a whole number");
    if (is_bare && !value.empty()) return value;
    if (!expected.starts_with("a list")) return in_quotes(value);
    std::string items;
    std::istringstream words(value);
    for (std::string item; std::getline(words, item, ',');) (items += items.empty() ? "" : ", ") += in_quotes(item);
    return "[" + items + "]";
}

void write_comment(std::ostream& out, const std::string& text) {
    std::istringstream words(text);
    std::size_t width = 0;
    for (std::string word; words >> word;) {
        if (width == 0 || width + 1 + word.size() > widest_comment) {
            out << (width == 0 ? "# " : "\n# ") << word;
            width = 2 + word.size();
        } else {
            out << ' ' << word;
            width += 1 + word.size();
        }
    }
    out << '\n';
}

}  // namespace

std::string config_template(const LoadedConfig& loaded) {
    std::ostringstream out;
    out << head;
    for (const SectionNote& section : all_sections()) {
        out << "\n# " << section.purpose << "\n[" << section.name << "]\n";
        for (const Setting& setting : all_settings()) {
            if (setting.section() != section.name) continue;
            out << '\n';
            write_comment(out, std::string(setting.description()) + " Takes " + setting.expected() + ".");
            const bool is_given = loaded.origins.contains(std::string(setting.name()));
            out << (is_given ? "" : "#") << setting.name().substr(section.name.size() + 1) << " = "
                << toml_value(setting, setting.value_in(loaded.config)) << '\n';
        }
    }
    return out.str();
}

}  // namespace tessera::app
