// tessera admin operator …
#include "metadata/operators.hpp"

#include <CLI/App.hpp>
#include <boost/json.hpp>
#include <map>
#include <memory>

#include "app/admin/commands.hpp"
#include "app/admin/operator_password.hpp"
#include "app/admin/session.hpp"
#include "app/command_failed.hpp"
#include "app/config/config.hpp"
#include "app/examples.hpp"
#include "app/text_table.hpp"
#include "core/random.hpp"
#include "metadata/store.hpp"
#include "service/operators/operator_name.hpp"
#include "service/operators/password_hash.hpp"
#include "service/operators/shown.hpp"

namespace tessera::app {
namespace {

constexpr std::size_t generated_length = 24;

struct Given {
    std::string name;
    bool generate = false;
};

boost::json::object as_json(const metadata::Operator& one) {
    return {{"id", one.id.to_string()},
            {"name", one.name},
            {"created_at", to_iso8601(one.created_at)},
            {"password_changed_at", to_iso8601(one.password_changed_at)},
            {"signed_in_at", service::time_or_null(one.signed_in_at)}};
}

std::string new_password(const Given& given) {
    return given.generate ? random_token(generated_length) : read_new_password(given.name);
}

std::string shown_once(const Given& given, const std::string& password) {
    return given.generate ? "\n    " + password + "\n\nIt is shown this once and stored as a hash: keep it now.\n" : "";
}

Error no_operator(AdminSession& session, const std::string& name) {
    return {ErrorCode::not_found,
            "there is no operator \"" + name + "\"; those there are: " + session.command() + " operator list",
            {}};
}

metadata::Operator found(AdminSession& session, const std::string& name) {
    auto one = must(session.store().operators().find(name));
    if (!one) throw CommandFailed(no_operator(session, name));
    return std::move(*one);
}

void create(AdminSession& session, const Given& given) {
    const auto good = service::check_operator_name(given.name);
    if (!good) throw CommandFailed(ExitCode::usage, good.error().message);
    if (must(session.store().operators().find(given.name)))
        throw CommandFailed(ExitCode::conflict, "there is an operator \"" + given.name + "\" already");
    const std::string password = new_password(given);
    const auto made = must(session.store().operators().create(given.name, service::hash_password(password)));
    boost::json::object shown = as_json(made);
    if (given.generate) shown["password"] = password;
    session.print(shown, "operator " + made.name + " can sign in at the console\n" + shown_once(given, password));
}

void change_password(AdminSession& session, const Given& given) {
    static_cast<void>(found(session, given.name));
    const std::string password = new_password(given);
    const auto changed =
        must(session.store().operators().change_password(given.name, service::hash_password(password), std::nullopt));
    if (!changed) throw CommandFailed(no_operator(session, given.name));
    boost::json::object shown = as_json(*changed);
    if (given.generate) shown["password"] = password;
    session.print(shown, "operator " + given.name + " has a new password, and was signed out everywhere\n" +
                             shown_once(given, password));
}

void remove(AdminSession& session, const Given& given) {
    if (!must(session.store().operators().remove(given.name))) throw CommandFailed(no_operator(session, given.name));
    session.print(boost::json::object{{"name", given.name}},
                  "operator " + given.name + " is removed, and was signed out everywhere\n");
}

void list(AdminSession& session) {
    boost::json::array all;
    TextTable table({"NAME", "SINCE", "LAST SIGNED IN", "PASSWORD SINCE"});
    for (const metadata::Operator& one : must(session.store().operators().list())) {
        all.push_back(as_json(one));
        table.add({one.name, to_iso8601(one.created_at), one.signed_in_at ? to_iso8601(*one.signed_in_at) : "never",
                   to_iso8601(one.password_changed_at)});
    }
    session.print(all, all.empty()
                           ? "there are no operators; to make one: " + session.command() + " operator create NAME\n"
                           : table.text());
}

void sessions(AdminSession& session, const Given& given) {
    std::optional<Uuid> only;
    if (!given.name.empty()) only = found(session, given.name).id;
    boost::json::array all;
    TextTable table({"OPERATOR", "SINCE", "LAST USED", "EXPIRES", "ADDRESS", "ID"});
    for (const metadata::OperatorSession& one :
         must(session.store().operators().sessions(only, session.config().console.session_idle))) {
        all.push_back({{"id", one.id.to_string()},
                       {"operator", one.operator_name},
                       {"created_at", to_iso8601(one.created_at)},
                       {"last_used_at", to_iso8601(one.last_used_at)},
                       {"expires_at", to_iso8601(one.expires_at)},
                       {"address", one.address},
                       {"user_agent", one.user_agent}});
        table.add({one.operator_name, to_iso8601(one.created_at), to_iso8601(one.last_used_at),
                   to_iso8601(one.expires_at), one.address, one.id.to_string()});
    }
    session.print(all, all.empty() ? "nobody is signed in\n" : table.text());
}

void revoke(AdminSession& session, const Given& given) {
    const int ended = must(session.store().operators().end_sessions(found(session, given.name).id));
    session.print(boost::json::object{{"name", given.name}, {"sessions", ended}},
                  "operator " + given.name + " was signed out of " + std::to_string(ended) + " sessions\n");
}

}  // namespace

void add_operator_commands(CLI::App& admin, AdminSession& session) {
    CLI::App* group = admin.add_subcommand("operator", "Operators: who may sign in at the console to run the service")
                          ->require_subcommand(1);
    const auto with_name = [&](const char* name, const char* help, auto action, bool takes_password) {
        CLI::App* command = group->add_subcommand(name, help);
        auto given = std::make_shared<Given>();
        command->add_option("NAME", given->name, "The operator's name")->required();
        if (takes_password) command->add_flag("--generate", given->generate, "Make a password and show it, this once");
        command->callback([&session, given, action] { action(session, *given); });
        const std::string example = "tessera admin operator " + std::string(name);
        if (takes_password) {
            add_examples(command, {example + " anna                     # asks for a password",
                                   example + " ben < password.txt", example + " carla --generate"});
        } else {
            add_examples(command, {example + " anna"});
        }
    };
    with_name("create", "Make an operator. The password is asked for, or the first line of standard input", create,
              true);
    with_name("password", "Give an operator another password; all of the operator's sessions end", change_password,
              true);
    with_name("remove", "Remove an operator, and end all sessions", remove, false);
    with_name("revoke", "Sign an operator out everywhere", revoke, false);

    CLI::App* sessions_command = group->add_subcommand("sessions", "Show who is signed in");
    auto whose = std::make_shared<Given>();
    sessions_command->add_option("NAME", whose->name, "Only this operator's");
    sessions_command->callback([&session, whose] { sessions(session, *whose); });
    CLI::App* list_command = group->add_subcommand("list", "Show all operators");
    list_command->callback([&session] { list(session); });

    add_examples(group, {"tessera admin operator create anna", "tessera admin operator list"});
    add_examples(sessions_command, {"tessera admin operator sessions", "tessera admin operator sessions anna --json"});
    add_examples(list_command, {"tessera admin operator list"});
}

}  // namespace tessera::app
