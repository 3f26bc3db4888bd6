// A command's connection to its service: whose key, where, and one request after another.
#pragma once

#include <boost/json/object.hpp>
#include <string>

#include "app/command_failed.hpp"
#include "app/remote/calls.hpp"
#include "app/remote/refusal.hpp"
#include "app/remote/service.hpp"
#include "app/remote/transfers.hpp"
#include "app/remote_commands/commands.hpp"

namespace tessera::app {

// Ends that other commands do not have.
inline constexpr ExitCode exit_stopped{5};        // some of the work is left, and the same command goes on with it
inline constexpr ExitCode exit_interrupted{130};  // by Ctrl-C, as shells have it

struct Tuning {
    std::size_t at_once = 6;  // transfers of one kind
    std::chrono::seconds patience{300};
};

class RemoteSession {
  public:
    // The service and the key of the environment or of a login; ends the command where there is none.
    explicit RemoteSession(const RemoteOptions& options, Tuning tuning = {});
    RemoteSession(remote::Address address, std::string key, Tuning tuning = {});

    [[nodiscard]] const remote::Service& service() const { return service_; }
    remote::Calls& calls() { return calls_; }
    remote::Transfers& transfers() { return transfers_; }

    // Waits for the answer, whatever it is.
    remote::Answer call(remote::Request request);
    // What a success tells; anything else ends the command. `subject` is what it was about: "job 01a1…".
    boost::json::object object(remote::Request request, const std::string& subject = {});

  private:
    RemoteSession(std::pair<remote::Address, std::string> who, Tuning tuning)
        : RemoteSession(std::move(who.first), std::move(who.second), tuning) {}

    remote::Service service_;
    remote::Transfers transfers_;
    remote::Calls calls_;
};

// The end of a command that a service refused something.
[[noreturn]] void end_command(const remote::Refusal& refusal, const std::string& subject);

// The name of the login that is used.
std::string profile_name(const RemoteOptions& options);

// Ctrl-C and SIGTERM as a wish that the command looks for; a second one ends it at once.
void listen_for_interrupts();
bool was_interrupted();
void end_if_interrupted();

}  // namespace tessera::app
