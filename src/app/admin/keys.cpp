// tessera admin key …
#include <CLI/App.hpp>
#include <boost/json.hpp>
#include <map>
#include <memory>

#include "app/admin/commands.hpp"
#include "app/admin/names.hpp"
#include "app/admin/session.hpp"
#include "app/command_failed.hpp"
#include "app/examples.hpp"
#include "app/fixed_values.hpp"
#include "app/text_table.hpp"
#include "core/permission.hpp"
#include "metadata/accounts.hpp"
#include "metadata/api_keys.hpp"
#include "metadata/store.hpp"
#include "service/operators/account_acts.hpp"

namespace tessera::app {
namespace {

struct CreateOptions {
    std::string account;
    std::string name;
    std::string role = "runtime";
    std::string expires;
    std::vector<std::string> networks;
};

boost::json::value as_json(const std::optional<Timestamp>& time) {
    return time ? boost::json::value(to_iso8601(*time)) : boost::json::value();
}

boost::json::object as_json(const ApiKey& key, const std::string& slug) {
    return {{"id", key.id.to_string()},
            {"account", slug},
            {"account_id", key.account_id.to_string()},
            {"name", key.name},
            {"role_code", key.role_code},
            {"networks", boost::json::value_from(key.networks.to_strings())},
            {"created_at", to_iso8601(key.created_at)},
            {"expires_at", as_json(key.expires_at)},
            {"last_used_at", as_json(key.last_used_at)},
            {"revoked_at", as_json(key.revoked_at)}};
}

std::string state_of(const ApiKey& key, Timestamp now) {
    if (key.revoked_at) return "revoked " + to_iso8601(*key.revoked_at);
    if (!key.expires_at) return "active";
    return (key.expired(now) ? "expired " : "active until ") + to_iso8601(*key.expires_at);
}

std::string networks_of(const ApiKey& key) {
    std::string text;
    for (const std::string& network : key.networks.to_strings()) (text += text.empty() ? "" : ",") += network;
    return text.empty() ? "any" : text;
}

std::vector<std::string> role_names() {
    std::vector<std::string> names;
    for (const Role& role : all_roles()) names.emplace_back(role.code);
    return names;
}

void create(AdminSession& session, const CreateOptions& options) {
    const Timestamp now = session.clock().now();
    service::KeyWish wish{.name = options.name, .role_code = options.role, .networks = options.networks};
    if (!options.expires.empty()) wish.expires_at = require_time("--expires", options.expires, now, Span::ahead);
    const Account account = session.account(options.account);
    const auto [key, text] = done(service::issue_key(session.store(), account.id, wish, now));
    boost::json::object shown = as_json(key, account.slug);
    shown["api_key"] = text;
    session.print(shown, "key " + key.id.to_string() + " of account " + account.slug + ", role " + key.role_code +
                             "\n\n    " + text + "\n\nIt is shown this once and stored as a hash: keep it now.\n");
}

void revoke(AdminSession& session, const std::string& text) {
    const auto id = Uuid::parse(text);
    if (!id) {
        throw CommandFailed(ExitCode::usage,
                            "\"" + text + "\" is no key id; to see them: " + session.command() + " key list");
    }
    const std::optional<ApiKey> key = must(session.store().api_keys().revoke(*id));
    if (!key) throw CommandFailed(ExitCode::not_found, "there is no key " + text);
    const auto account = must(session.store().accounts().find(key->account_id));
    session.print(as_json(*key, account ? account->slug : ""),
                  "key " + text + " is revoked; running servers refuse it within two seconds\n");
}

void list(AdminSession& session, const std::string& slug) {
    std::optional<Uuid> only;
    if (!slug.empty()) only = session.account(slug).id;
    std::map<Uuid, std::string> slugs;
    for (const Account& account : must(session.store().accounts().all())) slugs.emplace(account.id, account.slug);

    boost::json::array all;
    TextTable table({"ID", "ACCOUNT", "NAME", "ROLE", "NETWORKS", "CREATED", "LAST USED", "STATE"});
    for (const ApiKey& key : must(session.store().api_keys().list(only))) {
        const std::string& owner = slugs[key.account_id];
        all.push_back(as_json(key, owner));
        table.add({key.id.to_string(), owner, key.name, key.role_code, networks_of(key), to_iso8601(key.created_at),
                   key.last_used_at ? to_iso8601(*key.last_used_at) : "never", state_of(key, session.clock().now())});
    }
    const std::string whose = slug.empty() ? slugs.empty() ? "me" : slugs.begin()->second : slug;
    session.print(all, all.empty() ? "there are no keys; to make one: " + session.command() + " key create --account " +
                                         whose + " --name first\n"
                                   : table.text());
}

}  // namespace

void add_key_commands(CLI::App& admin, AdminSession& session) {
    CLI::App* group = admin.add_subcommand("key", "API keys")->require_subcommand(1);

    CLI::App* create_command = group->add_subcommand("create", "Make a key and show it, this once");
    auto options = std::make_shared<CreateOptions>();
    create_command->add_option("--account", options->account, "The account's slug or id")->required();
    create_command->add_option("--name", options->name, "What the key is for")->required();
    takes_one_of(create_command->add_option("--role", options->role, "What it may do")->capture_default_str(),
                 role_names());
    create_command->add_option("--expires", options->expires,
                               "When it ends: a span such as 90d, or a time such as 2027-01-31T09:00:00Z");
    create_command
        ->add_option("--network", options->networks,
                     "Where it may be used from, such as 10.0.0.0/8; may be given often")
        ->delimiter(',')
        ->allow_extra_args(false);
    create_command->callback([&session, options] { create(session, *options); });

    CLI::App* revoke_command = group->add_subcommand("revoke", "Make a key useless, for good");
    auto id = std::make_shared<std::string>();
    revoke_command->add_option("ID", *id, "The key's id")->required();
    revoke_command->callback([&session, id] { revoke(session, *id); });

    CLI::App* list_command = group->add_subcommand("list", "Show keys (never their text)");
    auto slug = std::make_shared<std::string>();
    list_command->add_option("--account", *slug, "Only this account's");
    list_command->callback([&session, slug] { list(session, *slug); });

    add_examples(group,
                 {"tessera admin key create --account shop --name website", "tessera admin key list --account shop"});
    add_examples(create_command,
                 {"tessera admin key create --account shop --name website",
                  "tessera admin key create --account shop --name ingest --role uploader --expires 90d",
                  "tessera admin key create --account shop --name office --network 10.0.0.0/8,192.0.2.7 --json"});
    add_examples(revoke_command, {"tessera admin key revoke 01a1dd2e-c26e-7506-ab6a-956cc5fd96e6"});
    add_examples(list_command, {"tessera admin key list", "tessera admin key list --account shop --json"});
}

}  // namespace tessera::app
