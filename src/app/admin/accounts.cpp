// tessera admin account …
#include <CLI/App.hpp>
#include <boost/json.hpp>
#include <memory>

#include "app/admin/commands.hpp"
#include "app/admin/names.hpp"
#include "app/admin/session.hpp"
#include "app/command_failed.hpp"
#include "app/examples.hpp"
#include "app/stores.hpp"
#include "app/text_table.hpp"
#include "blobs/blob_store.hpp"
#include "metadata/accounts.hpp"
#include "metadata/store.hpp"
#include "service/access/erase_account.hpp"
#include "service/operators/account_acts.hpp"
#include "service/operators/shown.hpp"

namespace tessera::app {
namespace {

std::string state_of(const Account& account) {
    if (account.erased_at) return "erased";
    if (account.erasure_begun_at) return "being erased";
    return account.suspended_at ? "suspended" : "active";
}

boost::json::object as_json(const Account& account) {
    boost::json::object object = service::shown(account);
    object["state"] = state_of(account);  // in the words of the table
    return object;
}

void create(AdminSession& session, const service::AccountWish& wanted) {
    const Account account = done(service::create_account(session.store(), wanted));
    session.print(as_json(account), "account " + account.slug + " on plan " + account.plan_code + ": " +
                                        account.id.to_string() + "\nnext: " + session.command() +
                                        " key create --account " + account.slug + " --name first\n");
}

void change_plan(AdminSession& session, const std::string& slug, const std::string& plan) {
    const Account before = session.account(slug);
    const Account account = done(service::change_plan(session.store(), before.id, plan));
    session.print(as_json(account), "account " + account.slug + " went from plan " + before.plan_code + " to " +
                                        account.plan_code + "; a new billing period has begun\n");
}

void suspend(AdminSession& session, const std::string& slug) {
    const Account account = must(session.store().accounts().suspend(session.account(slug).id));
    session.print(as_json(account), "account " + account.slug +
                                        " is suspended: its keys are refused within two seconds, and its jobs wait\n");
}

void resume(AdminSession& session, const std::string& slug) {
    const Account account = must(session.store().accounts().resume(session.account(slug).id));
    session.print(as_json(account), "account " + account.slug + " is active again\n");
}

// What is erased can't be brought back: the slug has to be typed twice.
void erase(AdminSession& session, const std::string& slug, const std::string& confirmed) {
    const Account account = session.account(slug);
    if (confirmed != account.slug) {
        throw CommandFailed(ExitCode::usage, "this erases account " + account.slug +
                                                 " with all it owns, for good; if that is meant add --confirm " +
                                                 account.slug);
    }
    const auto blobs = must(open_blobs(session.config(), session.folder()));
    const auto report = must(service::erase_account(session.store(), *blobs, account.id));
    session.print(boost::json::object{{"account_id", account.id.to_string()},
                                      {"rows", report.rows},
                                      {"blobs", report.blobs},
                                      {"bytes", report.bytes}},
                  "account " + account.slug + " is erased: " + std::to_string(report.rows) + " rows, " +
                      std::to_string(report.blobs) + " files of " + std::to_string(report.bytes) +
                      " bytes. Its charges stay in the ledger under " + account.id.to_string() +
                      ", which names nobody any more\n");
}

void list(AdminSession& session) {
    boost::json::array all;
    TextTable table({"SLUG", "NAME", "PLAN", "STATE", "SINCE", "ID"});
    for (const Account& account : must(session.store().accounts().all())) {
        all.push_back(as_json(account));
        table.add({account.slug, account.display_name, account.plan_code, state_of(account),
                   to_iso8601(account.created_at), account.id.to_string()});
    }
    session.print(all, all.empty() ? "there are no accounts; to make one: " + session.first_account_command() + "\n"
                                   : table.text());
}

}  // namespace

void add_account_commands(CLI::App& admin, AdminSession& session) {
    CLI::App* group = admin.add_subcommand("account", "Accounts: the tenants of the service")->require_subcommand(1);

    CLI::App* create_command = group->add_subcommand("create", "Make an account");
    auto wanted = std::make_shared<service::AccountWish>();
    create_command->add_option("--slug", wanted->slug, "Its short name: a-z, 0-9 and -")->required();
    create_command->add_option("--name", wanted->display_name, "Its name for people")->required();
    create_command->add_option("--plan", wanted->plan, "The plan it is on: see `admin plan list`")->required();
    create_command->callback([&session, wanted] { create(session, *wanted); });

    CLI::App* plan_command =
        group->add_subcommand("plan", "Put an account on another plan; a new billing period begins");
    auto change = std::make_shared<std::pair<std::string, std::string>>();
    plan_command->add_option("--account", change->first, "Its slug or id")->required();
    plan_command->add_option("--plan", change->second, "The new plan")->required();
    plan_command->callback([&session, change] { change_plan(session, change->first, change->second); });

    const auto with_account = [&](const char* name, const char* help, auto action) {
        CLI::App* command = group->add_subcommand(name, help);
        auto slug = std::make_shared<std::string>();
        command->add_option("--account", *slug, "Its slug or id")->required();
        command->callback([&session, slug, action] { action(session, *slug); });
        const std::string example = "tessera admin account " + std::string(name) + " --account shop";
        add_examples(command, {example});
    };
    with_account("suspend", "Refuse the account's keys and let its jobs wait", suspend);
    with_account("resume", "Let a suspended account go on", resume);

    CLI::App* erase_command = group->add_subcommand(
        "erase", "Erase an account with all it owns, for good. Run it again when it was interrupted: it goes on");
    auto erased = std::make_shared<std::pair<std::string, std::string>>();
    erase_command->add_option("--account", erased->first, "Its slug or id")->required();
    erase_command->add_option("--confirm", erased->second, "Its slug, once more");
    erase_command->callback([&session, erased] { erase(session, erased->first, erased->second); });

    CLI::App* list_command = group->add_subcommand("list", "Show all accounts");
    list_command->callback([&session] { list(session); });

    add_examples(group, {"tessera admin account create --slug studio --name \"The Studio\" --plan pro",
                         "tessera admin account list"});
    add_examples(create_command, {"tessera admin account create --slug studio --name \"The Studio\" --plan pro",
                                  "tessera admin account create --slug me --name Me --plan unlimited --json"});
    add_examples(plan_command, {"tessera admin account plan --account shop --plan unlimited"});
    add_examples(erase_command, {"tessera admin account erase --account shop --confirm shop"});
    add_examples(list_command, {"tessera admin account list", "tessera admin account list --json"});
}

}  // namespace tessera::app
