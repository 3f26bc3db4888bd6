#include "app/config/print.hpp"

#include <boost/json.hpp>
#include <filesystem>
#include <sstream>

#include "app/config/setting.hpp"
#include "core/plain_numbers.hpp"

namespace tessera::app {
namespace {

std::string origin_of(const LoadedConfig& loaded, std::string_view key) {
    const auto found = loaded.origins.find(key);
    return found == loaded.origins.end() ? "default" : found->second;
}

std::string toml_text(std::string_view value) {
    return boost::json::serialize(boost::json::string(value));
}

// Paths are whole, so that what is printed means the same in a file, wherever that lies.
std::string shown_in(const Setting& setting, const Config& config) {
    return std::get<std::string>(setting.from_file_in(std::filesystem::current_path(), setting.shown_in(config)));
}

std::string_view local_name(const Setting& setting) {
    return setting.name().substr(setting.section().size() + 1);
}

constexpr std::string_view reference_head =
    R"(# Configuration

Tessera needs no configuration. Everything below has a default, and can be given in three ways; the first one that names a key wins:

1. on the command line: `--set rate_limits.enabled=false`, as often as needed;
2. in the environment: `TESSERA_RATE_LIMITS__ENABLED=false` (the section, two underscores, the key);
3. in a TOML file: `--config tessera.toml`, or `TESSERA_CONFIG=tessera.toml`.

```toml
[server]
listen = ["0.0.0.0:8080"]
public_url = "https://images.example.org"

[rate_limits]
job_submissions = 600
```

Paths in a file are relative to the folder of that file; elsewhere to the folder that the command runs in.

Sizes are written `64KiB`, `20MiB`, `1.5GiB`; times `250ms`, `15s`, `5m`, `2h`, `7d` or `1h30m`; lists as arrays in a file and with commas
between their items elsewhere. An unknown key or a bad value stops the start with a message that names it.

`tessera config print` shows what is in force and where each value came from (`--json` for programs). This page is made by
`tessera config reference`.
)";

}  // namespace

std::string config_as_text(const LoadedConfig& loaded) {
    std::ostringstream out;
    std::string_view section;
    for (const Setting& setting : all_settings()) {
        if (setting.section() != section) {
            out << (section.empty() ? "" : "\n") << '[' << setting.section() << "]\n";
            section = setting.section();
        }
        std::string line = std::string(local_name(setting)) + " = " + toml_text(shown_in(setting, loaded.config));
        if (line.size() < 56) line.resize(56, ' ');
        out << line << " # " << origin_of(loaded, setting.name()) << '\n';
    }
    return out.str();
}

std::string config_as_json(const LoadedConfig& loaded) {
    boost::json::object all;
    for (const Setting& setting : all_settings()) {
        all[setting.name()] = {{"value", shown_in(setting, loaded.config)},
                               {"origin", origin_of(loaded, setting.name())}};
    }
    return with_plain_numbers(boost::json::serialize(all));
}

boost::json::array config_as_list(const LoadedConfig& loaded) {
    const Config defaults;
    boost::json::array all;
    for (const Setting& setting : all_settings()) {
        all.push_back({{"key", setting.name()},
                       {"section", setting.section()},
                       {"value", shown_in(setting, loaded.config)},
                       {"default", setting.value_in(defaults)},
                       {"origin", origin_of(loaded, setting.name())},
                       {"secret", setting.secrecy() != Secrecy::open},
                       {"description", setting.description()}});
    }
    return all;
}

std::string config_reference() {
    const Config defaults;
    std::ostringstream out;
    out << reference_head;
    for (const SectionNote& section : all_sections()) {
        out << "\n## [" << section.name << "]\n"
            << section.purpose << "\n\n| key | default | takes | meaning |\n|---|---|---|---|\n";
        for (const Setting& setting : all_settings()) {
            if (setting.section() != section.name) continue;
            const std::string value = setting.value_in(defaults);
            out << "| `" << setting.name() << "` | " << (value.empty() ? "" : "`" + value + "`") << " | "
                << setting.expected() << " | " << setting.description() << " |\n";
        }
    }
    return out.str();
}

}  // namespace tessera::app
