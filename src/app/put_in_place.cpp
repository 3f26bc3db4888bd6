#include "app/put_in_place.hpp"

#include "app/command_failed.hpp"
#include "app/private_files.hpp"

namespace tessera::app {

namespace fs = std::filesystem;

void put_in_place(const fs::path& made, const fs::path& to) {
    std::error_code failed;
    fs::permissions(made, fs::perms(0666 & ~umask_of_caller()), failed);
    if (!failed) fs::rename(made, to, failed);
    if (!failed) return;
    std::error_code ignored;
    fs::remove(made, ignored);
    throw CommandFailed(ExitCode::failed, to.string() + ": " + failed.message());
}

}  // namespace tessera::app
