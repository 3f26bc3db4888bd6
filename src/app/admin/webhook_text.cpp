#include "app/admin/webhook_text.hpp"

#include "app/admin/session.hpp"
#include "metadata/accounts.hpp"
#include "metadata/store.hpp"

namespace tessera::app {
std::string listed(const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names) (text += text.empty() ? "" : ",") += name;
    return text;
}

std::string explained(const std::string& disabled_reason) {
    if (disabled_reason == "gone") return "it answered 410";
    if (disabled_reason == "failing") return "it failed for too long";
    return "by an operator";
}

std::string slug_of(AdminSession& session, const Uuid& account_id) {
    const auto account = must(session.store().accounts().find(account_id));
    return account ? account->slug : "";
}

Uuid endpoint_id(const AdminSession& session, const std::string& text) {
    if (const auto id = Uuid::parse(text)) return *id;
    throw CommandFailed(ExitCode::usage, "\"" + text + "\" is no id of an endpoint or a delivery; to see them: " +
                                             session.command() + " webhook list");
}

}  // namespace tessera::app
