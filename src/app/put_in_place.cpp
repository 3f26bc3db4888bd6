#include "app/put_in_place.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

#include "app/command_failed.hpp"
#include "app/private_files.hpp"
#include "core/random.hpp"

namespace tessera::app {

namespace fs = std::filesystem;

namespace {

CommandFailed there_already(const fs::path& to) {
    return {ExitCode::conflict, to.string() + " is there already; --force replaces it"};
}

// The errno of a rename that replaces nothing; 0 when it is done.
int rename_if_free(const fs::path& from, const fs::path& to) {
    if (::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return 0;
    if (errno != EINVAL && errno != ENOSYS) return errno;
    // Some file systems can't do that; most of them have links.
    if (::link(from.c_str(), to.c_str()) != 0) return errno;
    ::unlink(from.c_str());
    return 0;
}

}  // namespace

void require_free(const fs::path& to, Existing existing) {
    std::error_code ignored;
    const fs::file_status found = fs::symlink_status(to, ignored);
    if (!fs::exists(found)) return;
    if (fs::is_directory(to, ignored)) throw CommandFailed(ExitCode::usage, to.string() + " is a folder");
    if (existing == Existing::keep) throw there_already(to);
}

void require_other_file(const fs::path& to, const fs::path& from) {
    std::error_code not_both_there;
    if (!fs::equivalent(to, from, not_both_there) || not_both_there) return;
    const bool same_name = to.lexically_normal() == from.lexically_normal();
    throw CommandFailed(ExitCode::usage, to.string() +
                                             (same_name ? "" : " is the same file as " + from.string() + ", which") +
                                             " is what the result is made of: give the result another name");
}

fs::path name_beside(const fs::path& to) {
    return to.string() + "." + random_token(8) + ".part";
}

void put_in_place(const fs::path& made, const fs::path& to, Existing existing) {
    std::error_code failed;
    fs::permissions(made, fs::perms(0666 & ~umask_of_caller()), failed);
    if (!failed && existing == Existing::replace) fs::rename(made, to, failed);
    if (!failed && existing == Existing::keep) failed = {rename_if_free(made, to), std::generic_category()};
    if (!failed) return;
    std::error_code ignored;
    fs::remove(made, ignored);
    if (failed == std::errc::file_exists) throw there_already(to);
    throw CommandFailed(ExitCode::failed, to.string() + ": " + failed.message());
}

}  // namespace tessera::app
