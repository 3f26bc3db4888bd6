// tessera admin audit
#include "metadata/audit.hpp"

#include <CLI/App.hpp>
#include <boost/json.hpp>
#include <map>
#include <memory>

#include "app/admin/commands.hpp"
#include "app/admin/names.hpp"
#include "app/admin/session.hpp"
#include "app/command_failed.hpp"
#include "app/examples.hpp"
#include "app/text_table.hpp"
#include "metadata/accounts.hpp"
#include "metadata/store.hpp"

namespace tessera::app {
namespace {

struct Wanted {
    std::string since;
    std::string account;
};

boost::json::value or_null(const std::string& text) {
    return text.empty() ? boost::json::value() : boost::json::value(text);
}

std::vector<metadata::AuditEntry> read_all(AdminSession& session, metadata::AuditQuery query) {
    std::vector<metadata::AuditEntry> all;
    while (true) {
        const auto page = must(session.store().audit().list(query));
        all.insert(all.end(), page.begin(), page.end());
        if (static_cast<int>(page.size()) < query.limit) return all;
        query.after_sequence = page.back().sequence;
    }
}

void show(AdminSession& session, const Wanted& wanted) {
    metadata::AuditQuery query;
    if (!wanted.since.empty()) query.since = require_time("--since", wanted.since, session.clock().now(), Span::back);
    if (!wanted.account.empty()) query.account_id = session.account(wanted.account).id;
    std::map<Uuid, std::string> slugs;
    for (const Account& account : must(session.store().accounts().all())) slugs.emplace(account.id, account.slug);

    boost::json::array all;
    TextTable table({"WHEN", "WHO", "WHAT", "ACCOUNT", "SUBJECT", "DETAILS"});
    for (const metadata::AuditEntry& entry : read_all(session, query)) {
        const std::string account_id = entry.account_id ? entry.account_id->to_string() : "";
        const std::string slug = entry.account_id ? slugs[*entry.account_id] : "";
        all.push_back({{"sequence", entry.sequence},
                       {"at", to_iso8601(entry.at)},
                       {"actor", entry.actor},
                       {"action", entry.action},
                       {"account", or_null(slug)},
                       {"account_id", or_null(account_id)},
                       {"subject", or_null(entry.subject)},
                       {"details", boost::json::parse(entry.details)}});
        table.add({to_iso8601(entry.at), entry.actor, entry.action, slug.empty() ? account_id : slug, entry.subject,
                   entry.details == "{}" ? "" : entry.details});
    }
    session.print(all, all.empty() ? "nothing was done\n" : table.text());
}

}  // namespace

void add_audit_command(CLI::App& admin, AdminSession& session) {
    CLI::App* command = admin.add_subcommand("audit", "Show who did what and when, oldest first");
    auto wanted = std::make_shared<Wanted>();
    command->add_option("--since", wanted->since, "Only from then on: a span such as 7d, or a time such as 2027-01-31");
    command->add_option("--account", wanted->account, "Only what was about this account: its slug or id");
    command->callback([&session, wanted] { show(session, *wanted); });
    add_examples(command, {"tessera admin audit", "tessera admin audit --since 7d --account shop --json"});
}

}  // namespace tessera::app
