// What this machine lacks for the service that the configuration describes. Needs no running service, and changes
// nothing.
#include "app/doctor/command.hpp"

#include <CLI/App.hpp>
#include <algorithm>
#include <boost/json.hpp>
#include <iostream>
#include <memory>

#include "app/command_failed.hpp"
#include "app/common_options.hpp"
#include "app/config/load.hpp"
#include "app/doctor/diagnosis.hpp"
#include "app/examples.hpp"
#include "core/log.hpp"

namespace tessera::app {
namespace {

using Level = Diagnosis::Level;

std::string_view to_string(Level level) {
    switch (level) {
        case Level::ok: return "ok";
        case Level::warn: return "warn";
        case Level::fail: return "fail";
    }
    return "";
}

// One line, whatever a message brought along.
std::string on_one_line(std::string text) {
    std::ranges::replace(text, '\n', ' ');
    return text;
}

class Consultation {
  public:
    explicit Consultation(bool json) : json_(json) {}

    void tell(const Diagnoses& found) {
        for (const Diagnosis& each : found) {
            ++counts_[static_cast<std::size_t>(each.level)];
            if (json_) {
                all_.push_back({{"level", to_string(each.level)},
                                {"name", each.name},
                                {"found", on_one_line(each.found)},
                                {"what_to_do", on_one_line(each.what_to_do)}});
                continue;
            }
            std::string level(to_string(each.level));
            level.resize(5, ' ');
            std::cout << level << on_one_line(each.name + ": " + each.found);
            if (!each.what_to_do.empty()) std::cout << "; what to do: " << on_one_line(each.what_to_do);
            std::cout << std::endl;
        }
    }

    // 1 where something fails.
    int end() const {
        if (json_) {
            std::cout << boost::json::serialize(all_) << std::endl;
        } else {
            std::cout << counts_[0] << " ok, " << counts_[1] << " to be looked at, " << counts_[2] << " failed"
                      << std::endl;
        }
        return static_cast<int>(counts_[2] > 0 ? ExitCode::failed : ExitCode::ok);
    }

  private:
    const bool json_;
    std::size_t counts_[3] = {};
    boost::json::array all_;
};

int consult(const Config& config, bool json) {
    log::set_sink({}, log::Level::error);  // what a start would log is told here, in order
    Consultation consultation(json);
    for (const auto look : {look_at_machine, look_at_folder, look_at_stores, look_at_addresses, look_at_engines}) {
        consultation.tell(look(config));
    }
    return consultation.end();
}

}  // namespace

void add_doctor_command(CLI::App& app, CommonOptions& options, int& exit_code) {
    CLI::App* command = app.add_subcommand("doctor", "Tell what this machine lacks, and what to do about each");
    auto json = std::make_shared<bool>(false);
    command->add_flag("--json", *json, "Print JSON for programs");
    command->add_option_function<std::string>(
        "--listen",
        [&options](const std::string& value) {
            options.shorthands.push_back({"server.listen", value, "--listen"});
        },
        "Where `tessera serve` is to listen (default: 127.0.0.1:8080)");
    command->callback([&options, &exit_code, json] { exit_code = consult(options.load().config, *json); });
    add_examples(
        command, {"tessera doctor", "tessera doctor --config tessera.toml --json"},
        "Give it the options of `tessera serve`, so that it looks at the same folder, stores and addresses. It "
        "changes nothing, and a service that runs on them is seen as an address that is taken.");
}

}  // namespace tessera::app
