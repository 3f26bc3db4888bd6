// tessera admin webhook show, deliveries, replay and test: what was sent, and sending it again.
#include <CLI/App.hpp>
#include <boost/json.hpp>
#include <memory>
#include <thread>

#include "app/admin/commands.hpp"
#include "app/admin/names.hpp"
#include "app/admin/session.hpp"
#include "app/admin/webhook_text.hpp"
#include "app/command_failed.hpp"
#include "app/config/values.hpp"
#include "app/examples.hpp"
#include "app/text_table.hpp"
#include "metadata/store.hpp"
#include "service/operators/shown.hpp"

namespace tessera::app {
namespace {

using metadata::DeliveryState;
using metadata::WebhookAttempt;
using metadata::WebhookDelivery;
using metadata::WebhookEndpoint;

constexpr std::string_view example_endpoint = "01a1dd2e-c26e-7506-ab6a-956cc5fd96e7";
constexpr std::string_view example_delivery = "01a1dd2e-c26e-4506-ab6a-956cc5fd96e8";

struct Wanted {
    std::string account;
    std::string endpoint;
    bool failed = false;
    int limit = 100;
};

std::string result_of(const std::optional<int>& status, const std::string& error) {
    if (status) return std::to_string(*status);
    return error.empty() ? "-" : error;
}

void deliveries(AdminSession& session, const Wanted& wanted) {
    metadata::DeliveryQuery query{.limit = wanted.limit};
    if (!wanted.account.empty()) query.account_id = session.account(wanted.account).id;
    if (!wanted.endpoint.empty()) query.endpoint_id = endpoint_id(session, wanted.endpoint);
    if (wanted.failed) query.state = DeliveryState::failed;
    boost::json::array all;
    TextTable table({"ID", "WHEN", "TYPE", "JOB", "STATE", "ATTEMPTS", "LAST", "NEXT"});
    for (const WebhookDelivery& one : must(session.store().webhooks().deliveries(query))) {
        all.push_back(service::shown(one));
        table.add({one.id.to_string(), to_iso8601(one.created_at), one.event,
                   one.job_id ? one.job_id->to_string() : "-", std::string(to_string(one.state)),
                   std::to_string(one.attempts), result_of(one.last_status, one.last_error),
                   one.next_attempt_at ? to_iso8601(*one.next_attempt_at) : "-"});
    }
    session.print(all, all.empty() ? "there are no such deliveries\n" : table.text());
}

std::string log_text(const WebhookDelivery& delivery) {
    TextTable table({"ATTEMPT", "WHEN", "RESULT", "ERROR", "MS", "ANSWER"});
    for (const WebhookAttempt& one : delivery.log) {
        table.add({std::to_string(one.attempt), to_iso8601(one.at), result_of(one.status, one.error), one.error,
                   std::to_string(one.duration.count()), one.response.substr(0, 80)});
    }
    return delivery.log.empty() ? "no attempt was made yet\n" : table.text();
}

void show(AdminSession& session, const std::string& text) {
    const Uuid id = endpoint_id(session, text);
    if (const auto delivery = must(session.store().webhooks().find_delivery(id))) {
        session.print(service::shown_whole(*delivery),
                      delivery->event + " " + std::string(to_string(delivery->state)) + ", to endpoint " +
                          delivery->endpoint_id.to_string() + "\n" + log_text(*delivery) +
                          (delivery->body.empty() ? "" : "\n" + delivery->body + "\n"));
        return;
    }
    const WebhookEndpoint endpoint = found(session.store().webhooks().find(id), text);
    const std::string slug = slug_of(session, endpoint.account_id);
    TextTable table({"ENDPOINT", text});
    table.add({"account", slug});
    table.add({"url", endpoint.url});
    table.add({"description", endpoint.description});
    table.add({"events", listed(endpoint.events)});
    table.add({"status", endpoint.active ? "active" : "disabled: " + explained(endpoint.disabled_reason)});
    if (endpoint.disabled_at) table.add({"disabled at", to_iso8601(*endpoint.disabled_at)});
    if (endpoint.failing_since) table.add({"failing since", to_iso8601(*endpoint.failing_since)});
    if (endpoint.paused_until) table.add({"paused until", to_iso8601(*endpoint.paused_until)});
    if (endpoint.previous_secret_until) table.add({"old secret until", to_iso8601(*endpoint.previous_secret_until)});
    session.print(service::shown(endpoint, slug), table.text());
}

void replay(AdminSession& session, const std::vector<std::string>& ids) {
    boost::json::array all;
    std::string text;
    for (const std::string& id : ids) {
        const WebhookDelivery again = found(session.store().webhooks().replay(endpoint_id(session, id)), id);
        all.push_back(service::shown(again));
        text += "delivery " + id + " is sent again\n";
    }
    session.print(all, text);
}

// A server sends it; whoever tests wants to know what came of it.
WebhookDelivery wait_for(AdminSession& session, WebhookDelivery delivery, Millis wait) {
    const auto deadline = std::chrono::steady_clock::now() + wait;
    while (delivery.attempts == 0 && std::chrono::steady_clock::now() < deadline) {
        std::this_thread::sleep_for(Millis(50));
        const std::string id = delivery.id.to_string();
        delivery = found(session.store().webhooks().find_delivery(delivery.id), id);
    }
    return delivery;
}

void test(AdminSession& session, const std::string& text, const std::string& wait) {
    const auto patience = parse_duration(wait);
    if (!patience) throw CommandFailed(ExitCode::usage, "--wait \"" + wait + "\": expected a time such as 10s");
    const WebhookDelivery made = found(session.store().webhooks().add_test(endpoint_id(session, text)), text);
    const WebhookDelivery sent = wait_for(session, made, *patience);
    const std::string name = "test " + sent.id.to_string();
    if (sent.attempts == 0) {
        session.print(service::shown_whole(sent), name + " waits to be sent; no server has done so in " + wait + "\n");
        return;
    }
    const WebhookAttempt& last = sent.log.back();
    const std::string took = " in " + std::to_string(last.duration.count()) + " ms";
    session.print(service::shown_whole(sent), sent.state == DeliveryState::delivered
                                                  ? name + " was delivered: " + result_of(last.status, "") + took + "\n"
                                                  : name + " was not delivered: " + result_of(last.status, last.error) +
                                                        took + (last.response.empty() ? "" : ": " + last.response) +
                                                        "\n");
    if (sent.state != DeliveryState::delivered) throw CommandFailed(ExitCode::failed, "the test was not delivered");
}

void add_replay(CLI::App& group, AdminSession& session) {
    CLI::App* command = group.add_subcommand("replay", "Send deliveries again, with their ids and bodies as they were");
    auto ids = std::make_shared<std::vector<std::string>>();
    command->add_option("DELIVERY", *ids, "Ids of deliveries")->required();
    command->callback([&session, ids] { replay(session, *ids); });
    add_examples(command, {"tessera admin webhook replay " + std::string(example_delivery)});
}

void add_test(CLI::App& group, AdminSession& session) {
    CLI::App* command = group.add_subcommand("test", "Send a message of type webhook.test, and show what came of it");
    auto id = std::make_shared<std::string>();
    auto wait = std::make_shared<std::string>("10s");
    command->add_option("ENDPOINT", *id, "The endpoint's id")->required();
    command->add_option("--wait", *wait, "For how long to wait for it")->capture_default_str();
    command->callback([&session, id, wait] { test(session, *id, *wait); });
    add_examples(command, {"tessera admin webhook test " + std::string(example_endpoint) + " --wait 1s"},
                 "A running `tessera serve` sends it. Ends with 1 when it was not delivered.");
}

}  // namespace

void add_webhook_delivery_commands(CLI::App& group, AdminSession& session) {
    CLI::App* show_command = group.add_subcommand("show", "Show an endpoint, or a delivery with every attempt at it");
    auto id = std::make_shared<std::string>();
    show_command->add_option("ID", *id, "The endpoint's or delivery's id")->required();
    show_command->callback([&session, id] { show(session, *id); });
    add_examples(show_command, {"tessera admin webhook show " + std::string(example_endpoint),
                                "tessera admin webhook show " + std::string(example_delivery) + " --json"});

    CLI::App* command = group.add_subcommand("deliveries", "Show what was and will be sent, newest first");
    auto wanted = std::make_shared<Wanted>();
    command->add_option("--account", wanted->account, "Only this account's: its slug or id");
    command->add_option("--endpoint", wanted->endpoint, "Only to this endpoint");
    command->add_flag("--failed", wanted->failed, "Only those given up");
    command->add_option("--limit", wanted->limit, "How many at most")
        ->capture_default_str()
        ->check(CLI::Range(1, 10'000));
    command->callback([&session, wanted] { deliveries(session, *wanted); });
    add_examples(command, {"tessera admin webhook deliveries", "tessera admin webhook deliveries --endpoint " +
                                                                   std::string(example_endpoint) + " --failed --json"});
    add_replay(group, session);
    add_test(group, session);
}

}  // namespace tessera::app
