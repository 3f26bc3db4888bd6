// tessera remote login, logout: keys are typed without being shown, or come from a pipe, and never stand on a command
// line, where everybody on the machine can read them.
#include <termios.h>
#include <unistd.h>

#include <CLI/App.hpp>
#include <iostream>
#include <memory>
#include <string>

#include "app/command_failed.hpp"
#include "app/examples.hpp"
#include "app/remote/profiles.hpp"
#include "app/remote_commands/session.hpp"
#include "core/text.hpp"

namespace tessera::app {
namespace {

// What is typed on the terminal is not shown while this lives.
class HiddenTyping {
  public:
    HiddenTyping() : works_(::tcgetattr(STDIN_FILENO, &before_) == 0) {
        if (!works_) return;
        termios hidden = before_;
        hidden.c_lflag &= ~static_cast<tcflag_t>(ECHO);
        ::tcsetattr(STDIN_FILENO, TCSAFLUSH, &hidden);
    }
    HiddenTyping(const HiddenTyping&) = delete;
    HiddenTyping& operator=(const HiddenTyping&) = delete;
    ~HiddenTyping() {
        if (works_) ::tcsetattr(STDIN_FILENO, TCSADRAIN, &before_);
    }

  private:
    termios before_{};
    const bool works_;
};

std::string read_key(const remote::Address& address) {
    const bool asks = ::isatty(STDIN_FILENO) != 0;
    std::string line;
    if (asks) {
        const HiddenTyping hidden;  // before somebody is asked: what is typed at once must not be shown either
        std::cerr << "API key for " << address.text() << " (it is not shown): " << std::flush;
        std::getline(std::cin, line);
        std::cerr << '\n';
    } else {
        std::getline(std::cin, line);
    }
    while (line.ends_with('\r') || line.ends_with('\n')) line.pop_back();
    std::string key(trimmed(line));
    if (key.empty()) throw CommandFailed(ExitCode::usage, "no key was given on standard input");
    for (const char c : key) {
        if (c <= ' ' || c > '~') throw CommandFailed(ExitCode::usage, "that is no key: it has blanks or other letters");
    }
    return key;
}

remote::Address address_for(const std::string& typed, const remote::Profile* known) {
    if (typed.empty() && known == nullptr)
        throw CommandFailed(ExitCode::usage, "which service? tessera remote login https://images.example.com");
    auto address = remote::Address::parse(typed.empty() ? known->url : typed);
    if (!address) throw CommandFailed(ExitCode::usage, address.error().message);
    return std::move(*address);
}

void login(const RemoteOptions& options, const std::string& url) {
    auto profiles = must(remote::Profiles::load(must(remote::profiles_file())));
    const std::string name = profile_name(options);
    const remote::Address address = address_for(url, profiles.find(name));
    if (address.is_open_to_listeners())
        std::cerr << "tessera: warning: the key travels unencrypted to " << address.text() << "; use https\n";
    const std::string key = read_key(address);
    RemoteSession session(address, key, {.at_once = 1, .patience = std::chrono::seconds(10)});
    const boost::json::object account = session.object(session.service().get("/v1/account"), address.text());
    profiles.set(name, {address.text(), key});
    must(profiles.save());
    const boost::json::value whole(account);
    std::cout << "Logged in to " << address.text() << " as " << remote::text_at(whole.at("account").as_object(), "slug")
              << ", plan " << remote::text_at(whole.at("plan").as_object(), "code") << ".\n";
}

void logout(const RemoteOptions& options) {
    auto profiles = must(remote::Profiles::load(must(remote::profiles_file())));
    const std::string name = profile_name(options);
    if (!profiles.remove(name)) throw CommandFailed(ExitCode::not_found, "there is no login called " + name);
    must(profiles.save());
    std::cout << "The key of " << name << " is forgotten. It is still good: revoke it if others may have it.\n";
}

}  // namespace

void add_login_commands(CLI::App& remote, const SharedRemoteOptions& options) {
    CLI::App* in = remote.add_subcommand("login", "Keep the address of a service and a key for it");
    auto url = std::make_shared<std::string>();
    in->add_option("URL", *url, "The service, such as https://images.example.com");
    in->callback([options, url] { login(*options, *url); });
    add_examples(
        in,
        {"tessera remote login http://127.0.0.1:8080 < key.txt   # without <, it asks for the key",
         "tessera remote login http://127.0.0.1:8080 --profile studio < key.txt"},
        "The key is checked first, and kept in $XDG_CONFIG_HOME/tessera/remote.json, which only you can read.");
    CLI::App* out = remote.add_subcommand("logout", "Forget the key of a login");
    out->callback([options] { logout(*options); });
    add_examples(out, {"tessera remote logout"});
}

}  // namespace tessera::app
