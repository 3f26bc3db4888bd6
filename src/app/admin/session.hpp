// What an admin command works with: the configuration, the database (opened on first use, so that help and mistakes
// cost nothing) and where its output goes. Works beside a running server. A database is never made here but by `init`:
// where there is none, the folder was mistyped.
#pragma once

#include <boost/json/value.hpp>
#include <memory>
#include <string>

#include "app/common_options.hpp"
#include "core/account.hpp"
#include "core/clock.hpp"

namespace tessera::metadata {
class Store;
}

namespace tessera::app {

struct Config;
class DataFolder;
struct LoadedConfig;

class AdminSession {
  public:
    explicit AdminSession(const CommonOptions& options);
    ~AdminSession();

    bool json = false;  // --json
    std::string actor;  // --actor: who the audit trail names; else the user of the operating system

    const Config& config();
    const DataFolder& folder();
    metadata::Store& store();
    // "tessera admin --data-dir D": what a hint begins with, so that it can be pasted.
    [[nodiscard]] std::string command() const;
    [[nodiscard]] std::string who() const;
    [[nodiscard]] const Clock& clock() const { return clock_; }

    // The account of that slug or id, or the end of the command.
    Account account(const std::string& slug_or_id);
    // The whole command that makes a first account.
    std::string first_account_command();

    // Prints the one or the other, as --json says.
    void print(const boost::json::value& for_programs, const std::string& for_people) const;

  private:
    void require_database();

    const CommonOptions& options_;
    SystemClock clock_;
    std::unique_ptr<LoadedConfig> loaded_;
    std::unique_ptr<DataFolder> folder_;
    std::unique_ptr<metadata::Store> store_;
};

}  // namespace tessera::app
