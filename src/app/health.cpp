#include "app/health.hpp"

#include <boost/json/parse.hpp>
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/command_failed.hpp"
#include "app/common_options.hpp"
#include "app/config/load.hpp"
#include "app/config/values.hpp"
#include "app/examples.hpp"
#include "app/remote/transfers.hpp"
#include "app/version.hpp"
#include "http/message/address.hpp"

namespace tessera::app {
namespace {

using Clock = std::chrono::steady_clock;
using Millis = std::chrono::milliseconds;

enum class HealthOf {
    serve,
    worker,
    any,  // whichever of them answers
};

// What there is to ask: a command, and the address at which it answers; empty where the configuration names none.
struct Candidate {
    std::string_view command;
    std::string base;
    std::string_view setting;  // which would name it
};

// An address that means all of the machine's is asked at the loopback one.
std::string base_of(const std::vector<std::string>& listen) {
    if (listen.empty()) return {};
    const http::ListenAddress address = must(http::ListenAddress::parse(listen.front()));
    if (address.port == 0) {
        throw CommandFailed(ExitCode::usage, listen.front() + " is any free port: health asks at a port that is known");
    }
    std::string host = address.host;
    if (host == "0.0.0.0") host = "127.0.0.1";
    if (host == "::") host = "localhost";  // takes IPv4 too
    if (host.find(':') != std::string::npos) host = "[" + host + "]";
    return "http://" + host + ":" + std::to_string(address.port);
}

std::vector<Candidate> candidates(const Config& config, HealthOf node) {
    std::vector<Candidate> all;
    if (node != HealthOf::worker) {
        const bool apart = !config.server.admin_listen.empty();
        all.push_back({"tessera serve", base_of(apart ? config.server.admin_listen : config.server.listen),
                       apart ? "server.admin_listen" : "server.listen"});
    }
    if (node != HealthOf::serve)
        all.push_back({"tessera worker", base_of(config.worker.admin_listen), "worker.admin_listen"});
    return all;
}

// Nothing where whoever listens there says nothing in time.
std::optional<remote::Answer> get(const std::string& url, Millis timeout) {
    remote::Transfers transfers(std::string("tessera-health/") + version);
    std::optional<remote::Answer> answer;
    transfers.start({.url = url}, [&](remote::Answer got) { answer = std::move(got); });
    const auto deadline = Clock::now() + timeout;
    while (!answer) {
        const auto left = std::chrono::duration_cast<Millis>(deadline - Clock::now());
        if (left.count() <= 0) break;
        transfers.wait(left);
    }
    return answer;
}

// In what /readyz says: the reason, and the parts that failed.
std::string why_not(const remote::Answer& answer) {
    boost::system::error_code error;
    const boost::json::value body = boost::json::parse(answer.body, error);
    const boost::json::object* report = error ? nullptr : body.if_object();
    const boost::json::value* checks = report == nullptr ? nullptr : report->if_contains("checks");
    if (checks == nullptr || !checks->is_object())
        return "status " + std::to_string(answer.status) + ": is it Tessera that listens there?";
    std::string why;
    if (const auto* reason = report->if_contains("reason"); reason != nullptr && reason->is_string())
        why = std::string_view(reason->get_string());
    for (const auto& [name, state] : checks->get_object()) {
        if (state == "ok") continue;
        why += (why.empty() ? "" : ", ") + std::string(name) + " does not answer";
    }
    return why.empty() ? "it has not looked yet" : why;
}

// Says on standard output that the node is ready. That it is not, and why, is thrown as CommandFailed.
void ask_health(const Config& config, HealthOf node, Millis timeout) {
    std::string trouble;
    for (const Candidate& each : candidates(config, node)) {
        const auto note = [&](const std::string& text) { trouble += (trouble.empty() ? "" : "\n") + text; };
        const std::string name(each.command);
        if (each.base.empty()) {
            note(name + ": " + std::string(each.setting) + " is not set, so that there is nothing to ask");
            continue;
        }
        const std::string url = each.base + "/readyz";
        const auto answer = get(url, timeout);
        if (!answer) {
            throw CommandFailed(ExitCode::failed, name + ": " + url + ": no answer within " + format_duration(timeout));
        }
        if (!answer->failure.empty()) {
            note(name + ": " + url + ": " + answer->failure);
            continue;
        }
        if (answer->status != 200) throw CommandFailed(ExitCode::failed, name + " is not ready: " + why_not(*answer));
        std::cout << name << " is ready: " << each.base << '\n';
        return;
    }
    throw CommandFailed(ExitCode::failed, trouble);
}

HealthOf parsed_node(const std::string& text) {
    if (text == "serve") return HealthOf::serve;
    if (text == "worker") return HealthOf::worker;
    if (text == "any") return HealthOf::any;
    throw CommandFailed(ExitCode::usage, "--node " + text + ": expected serve, worker or any");
}

Millis parsed_timeout(const std::string& text) {
    const auto timeout = parse_duration(text);
    if (timeout && timeout->count() > 0) return *timeout;
    throw CommandFailed(ExitCode::usage, "--timeout " + text + ": expected a time such as 3s");
}

}  // namespace

void add_health_command(CLI::App& app, const CommonOptions& options) {
    CLI::App* command = app.add_subcommand(
        "health", "Ask a node of this machine whether it is ready: exit code 0, or 1 and the reason");
    auto node = std::make_shared<std::string>("serve");
    auto timeout = std::make_shared<std::string>("3s");
    command
        ->add_option("--node", *node,
                     "serve, worker (at worker.admin_listen), or any: whichever of them answers, for a container that "
                     "runs one of them")
        ->capture_default_str();
    command->add_option("--timeout", *timeout, "For how long to wait for the answer")->capture_default_str();
    command->callback([&options, node, timeout] {
        ::setenv("no_proxy", "*", 1);  // the node is here, wherever a proxy of the environment is
        ask_health(options.load().config, parsed_node(*node), parsed_timeout(*timeout));
    });
    add_examples(command,
                 {"tessera health", "tessera health --config tessera.toml --timeout 1s", "tessera health --node any"},
                 "It reads the same configuration as the node: where that listens is where it asks.");
}

}  // namespace tessera::app
