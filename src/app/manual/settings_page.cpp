#include "app/config/setting.hpp"
#include "app/manual/man_page.hpp"
#include "app/manual/roff.hpp"

namespace tessera::app {
namespace {

std::string head() {
    return roff::section("name") + "tessera.toml \\- settings of Tessera\n" + roff::section("synopsis") +
           roff::bold("tessera") + " " + roff::italic("COMMAND") + " " + roff::bold("--config") + " " +
           roff::italic("FILE") + "\n" + roff::section("description") +
           roff::prose(
               "Every setting has a default. One can be given in three ways, and the first that names it wins: on "
               "the command line as `--set server.threads=4`, in the environment as "
               "`TESSERA_SERVER__THREADS=4` (the section, two underscores, the key), or in a TOML file:") +
           "\n.PP\n.nf\n[server]\nthreads = 4\n.fi\n.PP\n" +
           roff::prose(
               "Paths in a file are relative to the folder of that file. Sizes are written `64KiB`, `20MiB`; times "
               "`250ms`, `15s`, `5m`, `2h`, `7d`; lists as arrays in a file, and with commas elsewhere. An unknown key "
               "or a bad value stops the start with a message that names it. `tessera config print` shows what is in "
               "force and where it came from; `tessera config template` prints a file to begin with.") +
           "\n.PP\n" +
           roff::prose(
               "The Debian package has this file at `/etc/tessera/tessera.toml`; what is secret belongs to "
               "`/etc/tessera/tessera.env`, in the form of the environment.") +
           "\n";
}

std::string entry_of(const Setting& setting, const Config& defaults) {
    std::string term = roff::bold(setting.name());
    const std::string value = setting.value_in(defaults);
    if (!value.empty()) term += " = " + roff::escaped(value);
    return roff::entry(term,
                       roff::prose(setting.description()) + "\n.br\nTakes " + roff::prose(setting.expected()) + ".");
}

}  // namespace

ManPage settings_page() {
    const Config defaults;
    std::string text = roff::title("tessera.toml", 5) + head();
    for (const SectionNote& section : all_sections()) {
        text += roff::section("[" + std::string(section.name) + "]") + roff::prose(section.purpose) + ".\n";
        for (const Setting& setting : all_settings()) {
            if (setting.section() == section.name) text += entry_of(setting, defaults);
        }
    }
    text += roff::section("see also") + roff::bold("tessera") + "(1),\n" + roff::bold("tessera-config") + "(1)\n";
    return {"tessera.toml.5", text};
}

}  // namespace tessera::app
