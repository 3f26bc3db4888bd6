#include "app/remote_commands/session.hpp"

#include <csignal>
#include <cstdlib>
#include <optional>

#include "app/remote/profiles.hpp"
#include "app/version.hpp"

namespace tessera::app {
namespace {

volatile std::sig_atomic_t interrupts = 0;

void on_interrupt(int signal) {
    interrupts = 1;
    std::signal(signal, SIG_DFL);
}

std::string environment(const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? std::string() : value;
}

remote::RetryRules rules_of(const Tuning& tuning) {
    remote::RetryRules rules;
    rules.patience = tuning.patience;
    return rules;
}

remote::Address parsed(const std::string& url) {
    auto address = remote::Address::parse(url);
    if (!address) throw CommandFailed(ExitCode::usage, address.error().message);
    return std::move(*address);
}

// The environment goes before a login. A key of a login goes to its own service only.
std::pair<remote::Address, std::string> service_and_key(const RemoteOptions& options) {
    const std::string url = environment("TESSERA_URL");
    const std::string key = environment("TESSERA_API_KEY");
    if (!url.empty() && !key.empty()) return {parsed(url), key};
    const auto profiles = must(remote::Profiles::load(must(remote::profiles_file())));
    const std::string name = profile_name(options);
    const remote::Profile* profile = profiles.find(name);
    if (profile == nullptr) {
        throw CommandFailed(ExitCode::not_found, "there is no login" + (name == "default" ? "" : " called " + name) +
                                                     ": run `tessera remote login URL`, or set TESSERA_URL and "
                                                     "TESSERA_API_KEY");
    }
    if (!url.empty() && !(parsed(url) == parsed(profile->url))) {
        throw CommandFailed(ExitCode::usage, "TESSERA_URL names another service than the login " + name + " (" +
                                                 profile->url + "): set TESSERA_API_KEY, too");
    }
    return {parsed(profile->url), key.empty() ? profile->key : key};
}

}  // namespace

std::string profile_name(const RemoteOptions& options) {
    if (!options.profile.empty()) return options.profile;
    const std::string named = environment("TESSERA_PROFILE");
    return named.empty() ? "default" : named;
}

RemoteSession::RemoteSession(const RemoteOptions& options, Tuning tuning)
    : RemoteSession(service_and_key(options), tuning) {}

RemoteSession::RemoteSession(remote::Address address, std::string key, Tuning tuning)
    : service_(std::move(address), std::move(key)),
      transfers_(std::string("tessera-remote/") + version),
      calls_(transfers_, rules_of(tuning), tuning.at_once) {
    std::signal(SIGPIPE, SIG_IGN);
}

remote::Answer RemoteSession::call(remote::Request request) {
    std::optional<remote::Answer> came;
    calls_.send(remote::Lane::others, std::move(request), [&came](remote::Answer answer) { came = std::move(answer); });
    while (!came) {
        end_if_interrupted();
        calls_.step(remote::Millis(200));
    }
    return std::move(*came);
}

boost::json::object RemoteSession::object(remote::Request request, const std::string& subject) {
    const remote::Answer answer = call(std::move(request));
    auto object = remote::object_of(answer);
    if (!object) end_command(remote::refusal_of(answer), subject);
    return std::move(*object);
}

void end_command(const remote::Refusal& refusal, const std::string& subject) {
    const ExitCode code = refusal.status == 404 ? ExitCode::not_found : ExitCode::failed;
    throw CommandFailed(code, (subject.empty() ? "" : subject + ": ") + refusal.text());
}

void listen_for_interrupts() {
    std::signal(SIGINT, on_interrupt);
    std::signal(SIGTERM, on_interrupt);
    std::signal(SIGHUP, on_interrupt);
}

void end_if_interrupted() {
    if (was_interrupted()) throw CommandFailed(exit_interrupted, "interrupted");
}

bool was_interrupted() {
    return interrupts != 0;
}

}  // namespace tessera::app
