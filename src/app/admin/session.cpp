#include "app/admin/session.hpp"

#include <pwd.h>
#include <unistd.h>

#include <array>
#include <boost/json/serialize.hpp>
#include <cstdlib>
#include <iostream>

#include "app/admin/names.hpp"
#include "app/command_failed.hpp"
#include "app/config/load.hpp"
#include "app/data_folder.hpp"
#include "app/stores.hpp"
#include "core/log.hpp"
#include "metadata/accounts.hpp"
#include "metadata/store.hpp"

namespace tessera::app {

AdminSession::AdminSession(const CommonOptions& options) : options_(options) {}
AdminSession::~AdminSession() = default;

const Config& AdminSession::config() {
    if (!loaded_) loaded_ = std::make_unique<LoadedConfig>(options_.load());
    return loaded_->config;
}

const DataFolder& AdminSession::folder() {
    if (!folder_) folder_ = std::make_unique<DataFolder>(must(DataFolder::open(config().data.dir)));
    return *folder_;
}

metadata::Store& AdminSession::store() {
    if (!store_) {
        log::set_sink({}, log::Level::warning);  // at a terminal, only what is wrong
        store_ = must(open_metadata(config(), folder(), clock_, who()));
        // A fresh database has no plans; `plans.file` is the server's business.
        must(apply_configured_plans(*store_, PlansConfig{}));
    }
    return *store_;
}

// Whoever became root with sudo is named, too.
std::string AdminSession::who() const {
    if (!actor.empty()) {
        require_display_name("--actor", actor);
        return actor;
    }
    std::array<char, 4096> buffer{};
    passwd entry{};
    passwd* found = nullptr;
    const uid_t id = ::getuid();
    const bool known = ::getpwuid_r(id, &entry, buffer.data(), buffer.size(), &found) == 0 && found != nullptr;
    const std::string name = known ? entry.pw_name : "uid " + std::to_string(id);
    const char* before = std::getenv("SUDO_USER");
    return id == 0 && before != nullptr ? std::string(before) + " as " + name : name;
}

Account AdminSession::account(const std::string& slug_or_id) {
    std::optional<Account> found = must(store().accounts().find_by_slug(slug_or_id));
    if (!found) {
        if (const auto id = Uuid::parse(slug_or_id)) found = must(store().accounts().find(*id));
    }
    if (!found) {
        throw CommandFailed(ExitCode::not_found, "there is no account \"" + slug_or_id +
                                                     "\"; `tessera admin account list` shows those there are");
    }
    return std::move(*found);
}

void AdminSession::print(const boost::json::value& for_programs, const std::string& for_people) const {
    if (json) {
        std::cout << boost::json::serialize(for_programs) << '\n';
    } else {
        std::cout << for_people;
    }
    std::cout.flush();
    if (!std::cout) throw CommandFailed(ExitCode::failed, "standard output can't be written");
}

}  // namespace tessera::app
