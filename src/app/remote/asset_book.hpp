// Which files a service has already, by their content: what was uploaded once is not uploaded again, by this run or a
// later one.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "core/result.hpp"

namespace tessera::remote {

class AssetBook {
  public:
    // Of one account of one service. Runs at the same time may share it: each only ever adds lines.
    static Result<AssetBook> open(std::filesystem::path file);

    [[nodiscard]] std::optional<std::string> find(const std::string& sha256) const;
    Result<void> add(const std::string& sha256, const std::string& asset_id);
    // The service has it no longer.
    Result<void> forget(const std::string& sha256);

  private:
    Result<void> append(const std::string& line) const;

    std::filesystem::path file_;
    std::map<std::string, std::string> assets_;
};

}  // namespace tessera::remote
