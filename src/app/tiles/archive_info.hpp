// What an archive of tiles holds, told to people or to programs.
#pragma once

#include <string>

#include "app/tiles/open_file.hpp"

namespace tessera::app {

class ArchiveInfo {
  public:
    explicit ArchiveInfo(std::string path);  // ends the command where it can't be read

    [[nodiscard]] std::string for_people() const;
    [[nodiscard]] std::string for_programs() const;  // one JSON object

  private:
    const std::string path_;
    const ArchiveFile file_;
};

}  // namespace tessera::app
