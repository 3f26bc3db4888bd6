// An archive in a file, open for as long as it is used.
#pragma once

#include <memory>
#include <string>

#include "app/command_failed.hpp"
#include "core/file.hpp"
#include "tiles/archive/archive.hpp"

namespace tessera::app {

struct ArchiveFile {
    std::shared_ptr<const UniqueFd> file;
    std::shared_ptr<const tiles::Archive> archive;
};

inline ArchiveFile open_archive_file(const std::string& path) {
    auto fd = open_for_reading(path);
    if (!fd) throw CommandFailed(ExitCode::not_found, path + ": can't be opened");
    auto archive = tiles::Archive::open(fd->get());
    if (!archive) throw CommandFailed(ExitCode::failed, path + ": " + archive.error().detail);
    return {std::make_shared<const UniqueFd>(std::move(*fd)), std::move(*archive)};
}

}  // namespace tessera::app
