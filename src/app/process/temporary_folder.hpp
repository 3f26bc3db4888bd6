// A folder of this process alone, gone when it goes.
#pragma once

#include <filesystem>

namespace tessera::app {

class TemporaryFolder {
  public:
    TemporaryFolder();  // throws CommandFailed
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    ~TemporaryFolder();

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

  private:
    std::filesystem::path path_;
};

}  // namespace tessera::app
