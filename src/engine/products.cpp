#include "engine/products.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <boost/json/serialize.hpp>
#include <cerrno>
#include <cstdio>
#include <set>

#include "core/random.hpp"
#include "operations/run.hpp"

namespace tessera::engine {
namespace {

JobError misbehaved(std::string detail) {
    return {JobErrorCode::internal_error, "the work failed", "engine: " + std::move(detail)};
}

bool is_plain_name(const std::string& name) {
    return !name.empty() && name != "." && name != ".." && name.find('/') == std::string::npos &&
           name.find('\0') == std::string::npos;
}

// The size of the file, which is ours from here on.
Result<std::int64_t, JobError> take_file(int folder, const std::string& name) {
    if (!is_plain_name(name)) return misbehaved("an output outside of its folder");
    const UniqueFd file(::openat(folder, name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
    struct stat status {};
    if (!file || ::fstat(file.get(), &status) != 0) return misbehaved("no output " + name);
    if (!S_ISREG(status.st_mode) || status.st_nlink != 1) return misbehaved("an output that is no plain file");
    if (::geteuid() == 0 && ::fchown(file.get(), 0, 0) != 0) return misbehaved("chown of an output");
    if (::fchmod(file.get(), 0600) != 0) return misbehaved("chmod of an output");
    return static_cast<std::int64_t>(status.st_size);
}

}  // namespace

Result<Outcome, JobError> take_products(const operations::Manifest& manifest, ScratchFolder folder,
                                        const std::filesystem::path& scratch_root, std::int64_t max_artifact_bytes) {
    const std::filesystem::path moved = scratch_root / random_token(16);
    if (::rename(folder.path().c_str(), moved.c_str()) != 0) return misbehaved("its folder could not be moved");
    Outcome outcome;
    outcome.scratch = ScratchFolder(moved);
    const UniqueFd opened(::open(moved.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (!opened) return misbehaved("its folder is none");
    if (::geteuid() == 0 && ::fchown(opened.get(), 0, 0) != 0) return misbehaved("chown of its folder");

    std::int64_t total = 0;
    std::set<std::string> counted;
    const auto take = [&](const std::string& name) -> Result<std::int64_t, JobError> {
        auto size = take_file(opened.get(), name);
        if (!size) return size;
        if (counted.insert(name).second) total += *size;
        if (total > max_artifact_bytes) {
            return JobError{JobErrorCode::artifact_too_large,
                            "the files made are over the limit of " + std::to_string(max_artifact_bytes) + " bytes",
                            {}};
        }
        return size;
    };

    for (const operations::OutputFile& file : manifest.artifacts) {
        const auto size = take(file.file);
        if (!size) return size.error();
        outcome.artifacts.push_back({moved / file.file, *size, file.kind, file.content_type, file.extension, file.width,
                                     file.height, boost::json::serialize(file.metadata)});
    }
    if (manifest.tileset) {
        const auto size = take(manifest.tileset->file);
        if (!size) return size.error();
        outcome.tileset =
            TilesetProduct{moved / manifest.tileset->file, *size,
                           manifest.tileset->is_delta,     manifest.tileset->geometry,
                           manifest.tileset->tile_count,   boost::json::serialize(manifest.tileset->options)};
    }
    return outcome;
}

}  // namespace tessera::engine
