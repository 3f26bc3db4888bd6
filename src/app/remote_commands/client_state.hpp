// What this machine remembers of an account: which files it has uploaded, and how far each batch has come.
#pragma once

#include <filesystem>
#include <string>

#include "app/remote/asset_book.hpp"
#include "app/remote/journal.hpp"
#include "app/remote_commands/session.hpp"

namespace tessera::app {

class ClientState {
  public:
    // Asks the service whose key it is, which also shows that the key is good.
    explicit ClientState(RemoteSession& session);

    // Of the batch whose results go to `about`; ends the command where another run has it.
    [[nodiscard]] remote::Journal journal(const std::string& about) const;
    remote::AssetBook& assets() { return assets_; }

    [[nodiscard]] const std::string& account_id() const { return account_id_; }
    // Jobs in flight: the plan's limit, or what is polite.
    [[nodiscard]] std::size_t most_jobs() const { return most_jobs_; }

  private:
    std::filesystem::path folder_;
    std::string account_id_;
    std::size_t most_jobs_ = 1;
    remote::AssetBook assets_;
};

}  // namespace tessera::app
