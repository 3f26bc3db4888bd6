#include "blobs/staging_area.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "core/log.hpp"
#include "core/random.hpp"

namespace tessera::blobs {

namespace fs = std::filesystem;

namespace {

UniqueFd open_folder(const fs::path& folder) {
    return UniqueFd(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
}

void sweep(const fs::path& root) {
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(root, error)) {
        if (!entry.is_directory(error)) continue;
        const UniqueFd lock = open_folder(entry.path());
        if (!lock || ::flock(lock.get(), LOCK_EX | LOCK_NB) != 0) continue;  // its owner lives
        std::error_code failed;
        const auto removed = fs::remove_all(entry.path(), failed);
        if (failed) {
            log::warning("staging.sweep_failed", {{"folder", entry.path().string()}, {"error", failed.message()}});
        } else if (removed > 1) {
            log::info("staging.swept", {{"folder", entry.path().string()}, {"files", removed - 1}});
        }
    }
}

}  // namespace

Result<StagingArea> StagingArea::open(const fs::path& root) {
    std::error_code error;
    fs::create_directories(root, error);
    if (error) return storage_unavailable("create " + root.string() + ": " + error.message());

    // Nobody may sweep between the making of a folder and the taking of its lock.
    const UniqueFd gate(::open((root / ".lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
    if (!gate) return from_errno("open " + (root / ".lock").string());
    while (::flock(gate.get(), LOCK_EX) != 0) {
        if (errno != EINTR) return from_errno("lock " + (root / ".lock").string());
    }
    sweep(root);

    const fs::path folder = root / random_token(16);
    if (::mkdir(folder.c_str(), 0700) != 0) return from_errno("create " + folder.string());
    UniqueFd lock = open_folder(folder);
    if (!lock || ::flock(lock.get(), LOCK_EX | LOCK_NB) != 0) return from_errno("lock " + folder.string());
    return StagingArea(folder, std::move(lock));
}

StagingArea::StagingArea(StagingArea&& other) noexcept
    : folder_(std::exchange(other.folder_, {})), lock_(std::move(other.lock_)), next_(other.next_.load()) {}

StagingArea::~StagingArea() {
    std::error_code ignored;
    if (!folder_.empty()) fs::remove_all(folder_, ignored);
}

fs::path StagingArea::new_path() {
    return folder_ / std::to_string(next_.fetch_add(1, std::memory_order_relaxed));
}

Result<StagedFile> StagingArea::create() {
    return StagedFile::create(new_path());
}

Result<StagedFile> StagingArea::bring_in(StagedFile file) {
    if (file.path().parent_path() == folder_) return file;
    auto moved = file.move_to(new_path());
    if (moved) return file;
    return copy_in(std::move(file));
}

Result<StagedFile> StagingArea::copy_in(StagedFile file) {
    auto copy = create();
    if (!copy) return copy;
    const auto copied = copy->append(file.descriptor(), file.size());
    if (!copied) return copied.error();
    return copy;
}

}  // namespace tessera::blobs
