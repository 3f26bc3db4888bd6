// tessera admin entitlement …
#include <CLI/App.hpp>
#include <boost/json.hpp>
#include <memory>

#include "app/admin/commands.hpp"
#include "app/admin/names.hpp"
#include "app/admin/session.hpp"
#include "app/command_failed.hpp"
#include "app/examples.hpp"
#include "app/text_table.hpp"
#include "metadata/entitlements.hpp"
#include "metadata/store.hpp"
#include "service/access/entitlement_list.hpp"
#include "service/operators/account_acts.hpp"
#include "service/operators/shown.hpp"

namespace tessera::app {
namespace {

struct SetOptions {
    std::string account;
    std::string feature;
    bool enabled = false;
};

boost::json::object as_json(const Account& account, const Entitlement& entitlement) {
    boost::json::object object = service::shown(entitlement);
    object["account"] = account.slug;
    return object;
}

void set(AdminSession& session, const SetOptions& options) {
    const Account account = session.account(options.account);
    const Entitlement entitlement =
        done(service::set_entitlement(session.store(), account.id, options.feature, options.enabled));
    session.print(as_json(account, entitlement), options.feature + " is " + (options.enabled ? "enabled" : "disabled") +
                                                     " for account " + account.slug + "\n");
}

void list(AdminSession& session, const std::string& slug) {
    const Account account = session.account(slug);
    boost::json::array all;
    TextTable table({"FEATURE", "ENABLED", "STATUS", "SOURCE"});
    for (const Entitlement& entitlement :
         service::with_every_feature(must(session.store().entitlements().list(account.id)))) {
        all.push_back(as_json(account, entitlement));
        table.add(
            {entitlement.feature_code, entitlement.enabled ? "yes" : "no", entitlement.status, entitlement.source});
    }
    session.print(all, table.text());
}

}  // namespace

void add_entitlement_commands(CLI::App& admin, AdminSession& session) {
    CLI::App* group =
        admin.add_subcommand("entitlement", "What an account may use beyond its plan")->require_subcommand(1);

    CLI::App* set_command = group->add_subcommand("set", "Grant a feature or take it away");
    auto options = std::make_shared<SetOptions>();
    set_command->add_option("--account", options->account, "The account's slug or id")->required();
    set_command->add_option("--feature", options->feature, "The feature: cdn_delivery or asset_pictures")->required();
    set_command->add_option("--enabled", options->enabled, "true or false")->required();
    set_command->callback([&session, options] { set(session, *options); });

    CLI::App* list_command = group->add_subcommand("list", "Show an account's features");
    auto slug = std::make_shared<std::string>();
    list_command->add_option("--account", *slug, "The account's slug or id")->required();
    list_command->callback([&session, slug] { list(session, *slug); });

    add_examples(group, {"tessera admin entitlement set --account shop --feature cdn_delivery --enabled true",
                         "tessera admin entitlement list --account shop"});
    add_examples(set_command, {"tessera admin entitlement set --account shop --feature cdn_delivery --enabled true"});
    add_examples(list_command, {"tessera admin entitlement list --account shop"});
}

}  // namespace tessera::app
