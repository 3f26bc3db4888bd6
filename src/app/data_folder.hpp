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
    // Only its name: nothing is made or looked at.
    static DataFolder at(const std::filesystem::path& path);

    // Held until this object ends. Another server that has it is an error that names its process.
    Result<void> lock_for_serving();
    // Shared by all workers on the folder.
    Result<void> lock_for_work();
    // Against servers and workers.
    Result<void> lock_for_moving();

    // Nothing but our lock lies in it. Once it is locked for serving nobody else puts anything there.
    [[nodiscard]] bool is_fresh() const;
    // Takes back what a start that failed has made in a fresh folder, and the folder itself where open() made it. Does
    // nothing while a worker uses it.
    void take_back();

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }
    [[nodiscard]] std::filesystem::path database() const { return path_ / "tessera.db"; }
    [[nodiscard]] std::filesystem::path scratch() const { return path_ / "scratch"; }
    [[nodiscard]] std::filesystem::path signing_secrets() const { return path_ / "signing-secrets"; }

  private:
    explicit DataFolder(std::filesystem::path path) : path_(std::move(path)) {}

    Result<void> lock_workers(int how);
    void remove_made() const;

    std::filesystem::path path_;
    std::filesystem::path made_;  // the topmost folder that open() made; empty where there was one
    std::vector<UniqueFd> locks_;
};

}  // namespace tessera::app
