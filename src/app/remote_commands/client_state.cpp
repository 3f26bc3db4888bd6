#include "app/remote_commands/client_state.hpp"

#include <algorithm>

#include "app/command_failed.hpp"
#include "app/remote/profiles.hpp"
#include "core/hash.hpp"
#include "core/hex.hpp"

namespace tessera::app {
namespace {

namespace json = boost::json;

constexpr std::int64_t polite = 64;
constexpr std::chrono::hours kept_for{24 * 60};  // longer than most services keep what journals name

std::string file_name(const std::string& about) {
    return to_hex(sha256(about)).substr(0, 32);
}

const json::object* object_in(const json::object& object, std::string_view name) {
    const json::value* value = object.if_contains(name);
    return value == nullptr ? nullptr : value->if_object();
}

std::size_t most_jobs_of(const json::object& account) {
    const json::object* quotas = object_in(account, "quotas");
    const json::object* quota = quotas == nullptr ? nullptr : object_in(*quotas, "max_in_flight_jobs");
    const std::int64_t limit = quota == nullptr ? polite : remote::number_at(*quota, "limit");
    return static_cast<std::size_t>(std::clamp<std::int64_t>(limit, 1, polite));
}

}  // namespace

ClientState::ClientState(RemoteSession& session) : folder_(must(remote::state_folder())) {
    must(remote::make_private_folder(folder_));
    remote::remove_old_journals(folder_, kept_for);
    const json::object told = session.object(session.service().get("/v1/account"), session.service().address().text());
    const json::object* account = object_in(told, "account");
    if (account != nullptr) account_id_ = remote::text_at(*account, "id");
    most_jobs_ = most_jobs_of(told);
    const std::string whose = session.service().address().text() + "\n" + account_id_;
    assets_ = must(remote::AssetBook::open(folder_ / ("assets-" + file_name(whose))));
}

remote::Journal ClientState::journal(const std::string& about) const {
    return must(remote::Journal::open(folder_ / ("run-" + file_name(about))));
}

}  // namespace tessera::app
