// tessera admin webhook …: endpoints. What was sent to them is in webhook_deliveries.cpp.
#include "metadata/webhooks.hpp"

#include <CLI/App.hpp>
#include <algorithm>
#include <boost/json.hpp>
#include <map>
#include <memory>

#include "app/admin/commands.hpp"
#include "app/admin/names.hpp"
#include "app/admin/session.hpp"
#include "app/admin/webhook_text.hpp"
#include "app/command_failed.hpp"
#include "app/config/config.hpp"
#include "app/config/values.hpp"
#include "app/examples.hpp"
#include "app/fixed_values.hpp"
#include "app/text_table.hpp"
#include "metadata/accounts.hpp"
#include "metadata/store.hpp"
#include "service/operators/shown.hpp"
#include "webhooks/endpoint_url.hpp"
#include "webhooks/signature.hpp"

namespace tessera::app {
namespace {

using metadata::WebhookEndpoint;

constexpr std::string_view example_id = "01a1dd2e-c26e-7506-ab6a-956cc5fd96e7";

struct AddOptions {
    std::string account;
    std::string url;
    std::vector<std::string> events;
    std::string description;
};

std::string event_names() {
    std::string names;
    for (const std::string_view event : metadata::webhook_events) (names += names.empty() ? "" : ", ") += event;
    return names;
}

// Each once, in the order of the list; all when none are named.
std::vector<std::string> wanted_events(const std::vector<std::string>& given) {
    for (const std::string& name : given) {
        if (std::ranges::find(metadata::webhook_events, name) == std::end(metadata::webhook_events))
            throw CommandFailed(ExitCode::usage, "--events \"" + name + "\": expected some of " + event_names());
    }
    std::vector<std::string> wanted;
    for (const std::string_view event : metadata::webhook_events) {
        if (given.empty() || std::ranges::find(given, event) != given.end()) wanted.emplace_back(event);
    }
    return wanted;
}

std::string shown_once(const std::string& secret) {
    return "\n    " + secret +
           "\n\nIt verifies what this endpoint is sent, and is shown this once: keep it where the endpoint is.\n";
}

void add(AdminSession& session, const AddOptions& options) {
    const auto events = wanted_events(options.events);
    if (!options.description.empty()) require_display_name("--description", options.description);
    const Result<std::string> url = webhooks::check_url(options.url, session.config().webhooks);
    if (!url) throw CommandFailed(ExitCode::usage, "\"" + options.url + "\": " + url.error().message);
    const Account account = session.account(options.account);
    const std::string secret = webhooks::make_secret();
    const WebhookEndpoint made = must(session.store().webhooks().create({.account_id = account.id,
                                                                         .url = *url,
                                                                         .description = options.description,
                                                                         .events = events,
                                                                         .secret = secret}));
    boost::json::object shown = service::shown(made, account.slug);
    shown["secret"] = secret;
    session.print(shown, "endpoint " + made.id.to_string() + " of account " + account.slug + " is told of " +
                             listed(made.events) + "\n" + shown_once(secret) + "To try it: " + session.command() +
                             " webhook test " + made.id.to_string() + "\n");
}

std::string state_of(const WebhookEndpoint& endpoint) {
    if (!endpoint.active)
        return "disabled " + to_iso8601(*endpoint.disabled_at) + ": " + explained(endpoint.disabled_reason);
    if (endpoint.failing_since)
        return "failing since " + to_iso8601(*endpoint.failing_since) + ", " + std::to_string(endpoint.failures) +
               " in a row";
    return "active";
}

void list(AdminSession& session, const std::string& slug) {
    std::optional<Uuid> only;
    if (!slug.empty()) only = session.account(slug).id;
    std::map<Uuid, std::string> slugs;
    for (const Account& account : must(session.store().accounts().all())) slugs.emplace(account.id, account.slug);
    boost::json::array all;
    TextTable table({"ID", "ACCOUNT", "EVENTS", "URL", "STATE"});
    for (const WebhookEndpoint& endpoint : must(session.store().webhooks().list(only))) {
        all.push_back(service::shown(endpoint, slugs[endpoint.account_id]));
        table.add({endpoint.id.to_string(), slugs[endpoint.account_id], listed(endpoint.events),
                   webhooks::url_for_log(endpoint.url), state_of(endpoint)});
    }
    session.print(all, all.empty() ? "there are no endpoints; to make one: " + session.command() +
                                         " webhook add ACCOUNT https://example.org/hook\n"
                                   : table.text());
}

using Act = Result<std::optional<WebhookEndpoint>> (metadata::Webhooks::*)(Uuid);

void act(AdminSession& session, const std::string& id, Act what, const std::string& done) {
    const WebhookEndpoint endpoint = found((session.store().webhooks().*what)(endpoint_id(session, id)), id);
    session.print(service::shown(endpoint, slug_of(session, endpoint.account_id)),
                  "endpoint " + id + " " + done + "\n");
}

void rotate(AdminSession& session, const std::string& id) {
    const std::string secret = webhooks::make_secret();
    const Millis overlap = session.config().webhooks.secret_overlap;
    const WebhookEndpoint endpoint =
        found(session.store().webhooks().rotate_secret(endpoint_id(session, id), secret, overlap), id);
    boost::json::object shown = service::shown(endpoint, slug_of(session, endpoint.account_id));
    shown["secret"] = secret;
    session.print(shown, "endpoint " + id + " has a new secret; until " + to_iso8601(*endpoint.previous_secret_until) +
                             " the old one signs, too\n" + shown_once(secret));
}

CLI::App* add_act(CLI::App* group, AdminSession& session, const std::string& name, const std::string& help, Act what,
                  const std::string& done) {
    CLI::App* command = group->add_subcommand(name, help);
    auto id = std::make_shared<std::string>();
    command->add_option("ENDPOINT", *id, "The endpoint's id")->required();
    command->callback([&session, id, what, done] { act(session, *id, what, done); });
    add_examples(command, {"tessera admin webhook " + name + " " + std::string(example_id)});
    return command;
}

void add_add(CLI::App* group, AdminSession& session) {
    CLI::App* command = group->add_subcommand("add", "Tell an address when an account's jobs end");
    auto options = std::make_shared<AddOptions>();
    command->add_option("ACCOUNT", options->account, "The account's slug or id")->required();
    command->add_option("URL", options->url, "Where to send: https://… or http://…")->required();
    takes_one_of(command->add_option("--events", options->events, "What to tell; some, with commas (default: all)")
                     ->delimiter(',')
                     ->allow_extra_args(false),
                 metadata::webhook_events);
    command->add_option("--description", options->description, "What it is for");
    command->callback([&session, options] { add(session, *options); });
    add_examples(command, {"tessera admin webhook add shop https://example.org/hooks/tessera",
                           "tessera admin webhook add shop https://example.org/alarm --events job.failed "
                           "--description alarm --json"});
}

void add_rotate(CLI::App* group, AdminSession& session) {
    CLI::App* command = group->add_subcommand(
        "rotate-secret", "Make a new secret and show it, this once; the old one signs, too, for a day");
    auto id = std::make_shared<std::string>();
    command->add_option("ENDPOINT", *id, "The endpoint's id")->required();
    command->callback([&session, id] { rotate(session, *id); });
    add_examples(command, {"tessera admin webhook rotate-secret " + std::string(example_id)},
                 "For how long both sign is the key webhooks.secret_overlap.");
}

}  // namespace

void add_webhook_commands(CLI::App& admin, AdminSession& session) {
    CLI::App* group =
        admin.add_subcommand("webhook", "Webhooks: addresses that are told when jobs end")->require_subcommand(1);
    add_add(group, session);
    CLI::App* list_command = group->add_subcommand("list", "Show endpoints, how they are and since when");
    auto slug = std::make_shared<std::string>();
    list_command->add_option("--account", *slug, "Only this account's: its slug or id");
    list_command->callback([&session, slug] { list(session, *slug); });
    add_examples(list_command, {"tessera admin webhook list", "tessera admin webhook list --account shop --json"});
    add_webhook_delivery_commands(*group, session);
    add_act(group, session, "disable", "Send an endpoint nothing; what waits for it counts as failed",
            &metadata::Webhooks::disable, "is disabled");
    add_act(group, session, "enable", "Send it what happens from now on; what failed can be replayed",
            &metadata::Webhooks::enable, "is enabled");
    add_rotate(group, session);
    add_act(group, session, "remove", "Remove an endpoint with its deliveries and their log",
            &metadata::Webhooks::remove, "is removed");
    add_examples(group,
                 {"tessera admin webhook add shop https://example.org/hooks/tessera", "tessera admin webhook list",
                  "tessera admin webhook deliveries --failed"},
                 "What is sent, and how to check that it comes from here: docs/webhooks.md.");
}

}  // namespace tessera::app
