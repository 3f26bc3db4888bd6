// tessera admin plan …
#include <CLI/App.hpp>
#include <boost/json.hpp>
#include <iostream>
#include <memory>

#include "app/admin/commands.hpp"
#include "app/admin/session.hpp"
#include "app/command_failed.hpp"
#include "app/config/values.hpp"
#include "app/examples.hpp"
#include "app/plans_file.hpp"
#include "app/text_table.hpp"
#include "metadata/plans.hpp"
#include "metadata/store.hpp"
#include "service/operators/shown.hpp"

namespace tessera::app {
namespace {

void print_all(AdminSession& session, const std::vector<Plan>& plans) {
    boost::json::array all;
    TextTable table({"CODE", "NAME", "STATUS", "PUBLIC", "CREDITS", "UPLOAD", "IN FLIGHT"});
    for (const Plan& plan : plans) {
        all.push_back(service::shown(plan));
        const PlanLimits& limits = plan.limits;
        table.add({plan.code, plan.display_name, plan.status, plan.is_public ? "yes" : "no",
                   std::to_string(plan.included_processing_credits),
                   limits.max_upload_bytes ? format_bytes(*limits.max_upload_bytes) : "-",
                   limits.max_in_flight_jobs ? std::to_string(*limits.max_in_flight_jobs) : "-"});
    }
    session.print(all, table.text());
}

}  // namespace

void add_plan_commands(CLI::App& admin, AdminSession& session) {
    CLI::App* group = admin.add_subcommand("plan", "Plans: prices, credits and hard limits")->require_subcommand(1);

    CLI::App* list_command = group->add_subcommand("list", "Show all plans; --json shows every limit");
    list_command->callback([&session] { print_all(session, must(session.store().plans().all())); });

    CLI::App* apply_command =
        group->add_subcommand("apply",
                              "Make the plans of a TOML file the plans in force. A plan that is not in it is retired: "
                              "accounts on it keep it");
    auto file = std::make_shared<std::string>();
    apply_command->add_option("FILE", *file, "Plans as `admin plan template` prints them")->required();
    apply_command->callback([&session, file] {
        must(session.store().plans().apply(must(read_plans_file(*file))));
        print_all(session, must(session.store().plans().all()));
    });

    CLI::App* template_command = group->add_subcommand("template", "Print the built-in plans as a file to start from");
    template_command->callback([] { std::cout << built_in_plans_toml(); });

    add_examples(group, {"tessera admin plan template > plans.toml           # edit it, then",
                         "tessera admin plan apply plans.toml"});
    add_examples(list_command, {"tessera admin plan list", "tessera admin plan list --json"});
    add_examples(apply_command, {"tessera admin plan apply plans.toml"});
    add_examples(template_command, {"tessera admin plan template > plans.toml"});
}

}  // namespace tessera::app
