// The data folder of a node: what lies where in it, whether it can be used, and the lock that lets one server alone
// own it.
#pragma once

#include <filesystem>
#include <vector>

#include "core/file.hpp"
#include "core/result.hpp"

namespace tessera::app {

class DataFolder {
  public:
    // Makes the folder when it is not there. A folder that can't be made, written or filled is an error whose message
    // says so to people.
    static Result<DataFolder> open(const std::filesystem::path& path);

    // Held until this object ends. Another server that has it is an error that names its process.
    Result<void> lock_for_serving();
    // Shared by all workers on the folder.
    Result<void> lock_for_work();
    // Against servers and workers.
    Result<void> lock_for_moving();

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }
    [[nodiscard]] std::filesystem::path database() const { return path_ / "tessera.db"; }
    [[nodiscard]] std::filesystem::path scratch() const { return path_ / "scratch"; }
    [[nodiscard]] std::filesystem::path signing_secrets() const { return path_ / "signing-secrets"; }

  private:
    explicit DataFolder(std::filesystem::path path) : path_(std::move(path)) {}

    Result<void> lock_workers(int how);

    std::filesystem::path path_;
    std::vector<UniqueFd> locks_;
};

}  // namespace tessera::app
