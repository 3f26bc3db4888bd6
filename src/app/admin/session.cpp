#include "app/admin/session.hpp"

#include <boost/json/serialize.hpp>
#include <iostream>

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
        store_ = must(open_metadata(config(), folder(), clock_));
        // A fresh database has no plans; `plans.file` is the server's business.
        must(apply_configured_plans(*store_, PlansConfig{}));
    }
    return *store_;
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
