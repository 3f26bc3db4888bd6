// What an admin command works with: the configuration, the database (opened on first use, so that help and mistakes
// cost nothing) and where its output goes. Works beside a running server and on a fresh data folder.
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
    [[nodiscard]] std::string who() const;
    [[nodiscard]] const Clock& clock() const { return clock_; }

    // The account of that slug or id, or the end of the command.
    Account account(const std::string& slug_or_id);

    // Prints the one or the other, as --json says.
    void print(const boost::json::value& for_programs, const std::string& for_people) const;

  private:
    const CommonOptions& options_;
    SystemClock clock_;
    std::unique_ptr<LoadedConfig> loaded_;
    std::unique_ptr<DataFolder> folder_;
    std::unique_ptr<metadata::Store> store_;
};

}  // namespace tessera::app
