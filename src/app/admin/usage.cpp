// tessera admin usage
#include "metadata/usage.hpp"

#include <CLI/App.hpp>
#include <boost/json.hpp>
#include <memory>

#include "app/admin/commands.hpp"
#include "app/admin/session.hpp"
#include "app/command_failed.hpp"
#include "app/examples.hpp"
#include "app/text_table.hpp"
#include "metadata/plans.hpp"
#include "metadata/store.hpp"

namespace tessera::app {
namespace {

struct Wanted {
    std::string account;
    bool recount = false;
};

boost::json::object as_json(const metadata::PeriodUsage& usage) {
    return {{"starts_at", to_iso8601(usage.period.starts_at)},
            {"ends_at", to_iso8601(usage.period.ends_at)},
            {"processing_credits_used", usage.credits_used},
            {"cdn_delivery_bytes", usage.delivered_bytes}};
}

void show(AdminSession& session, const Wanted& wanted) {
    const Account account = session.account(wanted.account);
    metadata::Usage& usage_of = session.store().usage();
    const metadata::StorageUse storage =
        must(wanted.recount ? usage_of.recount_storage(account.id) : usage_of.storage(account.id));
    const metadata::PeriodUsage current = must(session.store().usage().current(account.id));
    const std::optional<Plan> plan = must(session.store().plans().find(account.plan_code));
    const std::int64_t included = plan ? plan->included_processing_credits : 0;

    boost::json::array history;
    TextTable table({"PERIOD STARTS", "ENDS", "CREDITS", "BYTES DELIVERED"});
    for (const metadata::PeriodUsage& usage : must(session.store().usage().history(account.id))) {
        history.push_back(as_json(usage));
        table.add({to_iso8601(usage.period.starts_at), to_iso8601(usage.period.ends_at),
                   std::to_string(usage.credits_used), std::to_string(usage.delivered_bytes)});
    }
    const std::string summary =
        "account " + account.slug + ", plan " + account.plan_code + ": " + std::to_string(current.credits_used) +
        " of " + std::to_string(included) + " credits used until " + to_iso8601(current.period.ends_at) + "; keeps " +
        std::to_string(storage.bytes) + " bytes and " + std::to_string(storage.assets) + " assets\n";
    session.print(boost::json::object{{"account", account.slug},
                                      {"plan", account.plan_code},
                                      {"processing_credits_limit", included},
                                      {"storage", {{"bytes", storage.bytes}, {"assets", storage.assets}}},
                                      {"current", as_json(current)},
                                      {"history", history}},
                  history.empty() ? summary : summary + "\n" + table.text());
}

}  // namespace

void add_usage_command(CLI::App& admin, AdminSession& session) {
    CLI::App* command = admin.add_subcommand("usage", "Show what an account has used, by billing period");
    auto wanted = std::make_shared<Wanted>();
    command->add_option("--account", wanted->account, "The account's slug or id")->required();
    command->add_flag("--recount", wanted->recount, "Count what it keeps anew, from its rows");
    command->callback([&session, wanted] { show(session, *wanted); });
    add_examples(command, {"tessera admin usage --account shop", "tessera admin usage --account shop --recount"});
}

}  // namespace tessera::app
