#include "app/backup/restore_mark.hpp"

#include <filesystem>

#include "app/data_folder.hpp"
#include "app/trouble.hpp"
#include "core/file.hpp"

namespace tessera::app {
namespace {

std::filesystem::path mark_of(const DataFolder& folder) {
    return folder.path() / "restore-unfinished";
}

}  // namespace

bool restore_is_unfinished(const DataFolder& folder) {
    std::error_code ignored;
    return std::filesystem::exists(mark_of(folder), ignored);
}

Result<void> mark_restore(const DataFolder& folder) {
    return replace_file(mark_of(folder), "A restore into this folder has begun. Run it again to go on.\n", 0600);
}

Result<void> clear_restore_mark(const DataFolder& folder) {
    std::error_code failure;
    std::filesystem::remove(mark_of(folder), failure);
    if (failure) return trouble("can't remove " + mark_of(folder).string() + ": " + failure.message());
    return sync_folder(folder.path());
}

Result<void> require_whole(const DataFolder& folder) {
    if (!restore_is_unfinished(folder)) return {};
    return trouble("a restore into the data folder " + folder.path().string() +
                   " did not end: run the same `tessera admin restore` again, and it goes on");
}

}  // namespace tessera::app
