#include "app/admin/session.hpp"

#include <pwd.h>
#include <unistd.h>

#include <array>
#include <boost/json/serialize.hpp>
#include <cstdlib>
#include <filesystem>
#include <iostream>

#include "app/admin/names.hpp"
#include "app/command_failed.hpp"
#include "app/config/load.hpp"
#include "app/data_folder.hpp"
#include "app/demo_account.hpp"
#include "app/hints.hpp"
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

std::string AdminSession::command() const {
    return admin_command(options_);
}

void AdminSession::require_database() {
    const DataFolder folder = DataFolder::at(config().data.dir);
    const auto file = database_file(config(), folder);
    std::error_code ignored;
    if (!file || std::filesystem::exists(*file, ignored)) return;
    const std::string where =
        *file == folder.database() ? "in the data folder " + folder.path().string() : "at " + file->string();
    throw CommandFailed(
        ExitCode::not_found,
        "there is no database " + where +
            "\nIs it the right one? `tessera serve` makes a database when it starts; to make one now: " + command() +
            " init");
}

const DataFolder& AdminSession::folder() {
    if (!folder_) {
        require_database();
        folder_ = std::make_unique<DataFolder>(must(DataFolder::open(config().data.dir)));
    }
    return *folder_;
}

metadata::Store& AdminSession::store() {
    if (store_) return *store_;
    log::set_sink({}, log::Level::warning);  // at a terminal, only what is wrong
    const DataFolder named = DataFolder::at(config().data.dir);
    const bool shared = !database_file(config(), named);  // PostgreSQL needs no folder here
    auto opened = open_metadata(config(), shared ? named : folder(), clock_, {.actor = who(), .create = false});
    if (!opened && opened.error().code == ErrorCode::not_found) {
        throw CommandFailed(ExitCode::not_found, opened.error().message +
                                                     "\nIs it the right one? `tessera serve` makes them when it "
                                                     "starts; to make them now: " +
                                                     command() + " init");
    }
    store_ = must(std::move(opened));
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
                                                     "\"; those there are: " + command() + " account list");
    }
    return std::move(*found);
}

std::string AdminSession::first_account_command() {
    const std::string plan = must(plan_for_first_account(store()));
    return command() + " account create --slug me --name Me --plan " + (plan.empty() ? "PLAN" : plan);
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
