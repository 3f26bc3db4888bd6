#include "app/backup/backup_folder.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>

#include "app/private_files.hpp"
#include "app/trouble.hpp"

namespace tessera::app {

namespace fs = std::filesystem;

namespace {

constexpr const char* mark_name = "tessera-backup";
constexpr std::string_view mark =
    "tessera-backup 1\n"
    "Backups made by `tessera admin backup`. Restore with `tessera admin restore`; leave the files to these two.\n";
constexpr std::string_view partial = ".partial-";
constexpr std::string_view gone = ".gone-";

Error failed(const std::string& step, const fs::path& path, const std::error_code& why) {
    return trouble("can't " + step + " " + path.string() + ": " + why.message());
}

std::error_code last_error() {
    return {errno, std::generic_category()};
}

// 2027-01-31T02-00-00.000Z: sorts by time, and is a file name everywhere.
std::string name_at(Timestamp time) {
    std::string name = to_iso8601(time);
    std::ranges::replace(name, ':', '-');
    return name;
}

Timestamp time_of(std::string name) {
    name[13] = name[16] = ':';
    return from_iso8601(name).value_or(Timestamp());
}

bool is_name(const std::string& text) {
    constexpr std::string_view shape = "0000-00-00T00-00-00.000Z";
    if (text.size() != shape.size()) return false;
    for (std::size_t i = 0; i < shape.size(); ++i) {
        const bool digit = text[i] >= '0' && text[i] <= '9';
        if (shape[i] == '0' ? !digit : text[i] != shape[i]) return false;
    }
    return true;
}

Result<void> make_marked(const fs::path& path) {
    std::error_code failure;
    fs::create_directories(path, failure);
    if (failure) return failed("make the folder", path, failure);
    if (fs::exists(path / mark_name, failure)) return {};
    if (!fs::is_empty(path, failure) || failure) {
        return Error{ErrorCode::conflict,
                     path.string() + " is not empty and no folder of backups: give backups a folder of their own",
                     {}};
    }
    if (auto written = replace_file(path / mark_name, mark, 0600); !written) {
        return trouble("can't write to " + path.string() + ": " + written.error().detail);
    }
    return {};
}

}  // namespace

fs::path BackupFiles::list() const {
    std::error_code ignored;
    return fs::exists(wanted(), ignored) ? wanted() : blobs();
}

Result<BackupFolder> BackupFolder::open(const fs::path& given, Use use) {
    keep_files_private();
    const fs::path path = fs::absolute(given).lexically_normal();
    if (use == Use::write) {
        if (auto made = make_marked(path); !made) return made.error();
    }
    UniqueFd lock(::open((path / mark_name).c_str(), O_RDONLY | O_CLOEXEC));
    if (!lock && errno == ENOENT) {
        return Error{
            ErrorCode::not_found, path.string() + " is no folder of backups: `tessera admin backup` makes one", {}};
    }
    if (!lock) return failed("open", path / mark_name, last_error());
    const auto text = read_whole_file(path / mark_name, 4096);
    if (!text || !text->starts_with(mark.substr(0, mark.find('\n') + 1))) {
        return trouble(path.string() + " was made by another version of Tessera: " + mark_name +
                       " is not what this one writes");
    }
    if (::flock(lock.get(), (use == Use::write ? LOCK_EX : LOCK_SH) | LOCK_NB) != 0) {
        if (errno != EWOULDBLOCK) return failed("lock", path / mark_name, last_error());
        return Error{
            ErrorCode::conflict, "another backup or restore is at work in " + path.string() + ": wait for it", {}};
    }
    return BackupFolder(path, std::move(lock));
}

Result<std::vector<BackupFiles>> BackupFolder::folders(bool whole) const {
    std::vector<BackupFiles> found;
    std::error_code failure;
    fs::directory_iterator it(path_, failure);
    for (const fs::directory_iterator end; !failure && it != end; it.increment(failure)) {
        const std::string name = it->path().filename().string();
        const bool fits = whole ? is_name(name) : name.starts_with(partial) || name.starts_with(gone);
        if (fits) found.push_back({it->path()});
    }
    if (failure) return failed("list", path_, failure);
    std::ranges::sort(found, {}, &BackupFiles::name);
    return found;
}

Result<std::vector<BackupFiles>> BackupFolder::backups() const {
    return folders(true);
}

Result<std::vector<BackupFiles>> BackupFolder::leftovers() const {
    return folders(false);
}

Result<BackupFiles> BackupFolder::begin(Timestamp now) const {
    const auto there = backups();
    if (!there) return there.error();
    // A clock that was set back must not make the newest backup look old.
    if (!there->empty()) now = std::max(now, time_of(there->back().name()) + Millis(1));
    BackupFiles files{path_ / (std::string(partial) + name_at(now))};
    std::error_code failure;
    fs::remove_all(files.folder, failure);
    if (::mkdir(files.folder.c_str(), 0700) != 0) return failed("make the folder", files.folder, last_error());
    return files;
}

Result<BackupFiles> BackupFolder::finish(const BackupFiles& from) const {
    if (auto synced = sync_folder(from.folder); !synced) return synced.error();
    const BackupFiles to{path_ / from.name().substr(partial.size())};
    std::error_code failure;
    fs::rename(from.folder, to.folder, failure);
    if (failure) return failed("rename", from.folder, failure);
    if (auto synced = sync_folder(path_); !synced) return synced.error();
    return to;
}

Result<void> BackupFolder::drop(const BackupFiles& backup) const {
    std::error_code failure;
    fs::rename(backup.folder, path_ / (std::string(gone) + backup.name()), failure);
    if (failure) return failed("rename", backup.folder, failure);
    return sync_folder(path_);
}

}  // namespace tessera::app
