// tessera admin secret …
#include <CLI/App.hpp>
#include <boost/json.hpp>
#include <memory>

#include "app/admin/commands.hpp"
#include "app/admin/session.hpp"
#include "app/command_failed.hpp"
#include "app/config/config.hpp"
#include "app/examples.hpp"
#include "app/secret_list.hpp"
#include "app/text_table.hpp"
#include "metadata/audit.hpp"
#include "metadata/store.hpp"

namespace tessera::app {
namespace {

std::unique_ptr<SecretList> list_of(AdminSession& session) {
    return open_secret_list(session.config().secrets, session.folder(), session.store(), session.clock());
}

// A file is in no transaction: the entry comes first, so that no rotation is without one. The database writes its own.
void record_rotation_of_file(AdminSession& session, std::size_t keep) {
    if (session.config().secrets.file.empty() && session.store().signing_secrets() != nullptr) return;
    must(session.store().audit().record({"secret.rotate", {}, {}, metadata::act_details({{"keep", keep}})}));
}

void print(AdminSession& session, std::vector<SigningSecret> secrets, const std::string& note) {
    secrets = in_order_of_use(std::move(secrets), session.clock().now());
    boost::json::array all;
    TextTable table({"FINGERPRINT", "CREATED", "USE"});
    for (std::size_t i = 0; i < secrets.size(); ++i) {
        const std::string use = i == 0 ? "signs and verifies" : "verifies";
        all.push_back({{"fingerprint", secrets[i].fingerprint()},
                       {"created_at", to_iso8601(secrets[i].created_at)},
                       {"signs", i == 0}});
        table.add({secrets[i].fingerprint(), to_iso8601(secrets[i].created_at), use});
    }
    session.print(all, table.text() + note);
}

}  // namespace

void add_secret_commands(CLI::App& admin, AdminSession& session) {
    CLI::App* group =
        admin.add_subcommand("secret", "Secrets that sign download and tile addresses")->require_subcommand(1);

    CLI::App* list = group->add_subcommand("list", "Show the secrets by fingerprint");
    list->callback([&session] { print(session, must(list_of(session)->read_or_make()), ""); });

    CLI::App* rotate =
        group->add_subcommand("rotate",
                              "Add a new secret. It verifies at once and signs two minutes later, when every "
                              "node has read it; older ones go on verifying");
    auto keep = std::make_shared<std::size_t>(3);
    rotate
        ->add_option("--keep", *keep,
                     "How many secrets to keep in all; 1 makes every address that is out useless at once")
        ->capture_default_str()
        ->check(CLI::Range(1, 100));
    rotate->callback([&session, keep] {
        record_rotation_of_file(session, *keep);
        print(session, must(list_of(session)->rotate(*keep)), "\nrunning servers read the list again within seconds\n");
    });

    add_examples(group, {"tessera admin secret list", "tessera admin secret rotate"});
    add_examples(list, {"tessera admin secret list"});
    add_examples(rotate, {"tessera admin secret rotate            # once in a while",
                          "tessera admin secret rotate --keep 1   # after a leak"});
}

}  // namespace tessera::app
