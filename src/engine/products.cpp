#include "engine/products.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <boost/json/serialize.hpp>
#include <cerrno>
#include <cstdio>
#include <map>

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

struct Taken {
    ScratchPath file;
    std::int64_t byte_size = 0;
};

// Moves the file first and looks at it then: where it is now, the engine can't put another in its place.
Result<Taken, JobError> take_file(int folder, const std::string& name, const std::filesystem::path& scratch_root) {
    if (!is_plain_name(name)) return misbehaved("an output outside of its folder");
    Taken taken{ScratchPath(scratch_root / random_token(16))};
    const char* path = taken.file.path().c_str();
    if (::renameat(folder, name.c_str(), AT_FDCWD, path) != 0) return misbehaved("no output " + name);
    const UniqueFd file(::open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
    struct stat status {};
    if (!file || ::fstat(file.get(), &status) != 0) return misbehaved("an output that can't be opened");
    if (!S_ISREG(status.st_mode) || status.st_nlink != 1) return misbehaved("an output that is no plain file");
    if (::geteuid() == 0 && ::fchown(file.get(), 0, 0) != 0) return misbehaved("chown of an output");
    if (::fchmod(file.get(), 0600) != 0) return misbehaved("chmod of an output");
    taken.byte_size = status.st_size;
    return taken;
}

}  // namespace

Result<Outcome, JobError> take_products(const operations::Manifest& manifest, int folder,
                                        const std::filesystem::path& scratch_root, std::int64_t max_artifact_bytes) {
    Outcome outcome;
    struct Found {
        std::filesystem::path path;
        std::int64_t byte_size = 0;
    };
    std::map<std::string, Found> found;  // a file may be an artifact and a tileset's
    std::int64_t total = 0;
    const auto take = [&](const std::string& name) -> Result<Found, JobError> {
        if (const auto known = found.find(name); known != found.end()) return known->second;
        auto taken = take_file(folder, name, scratch_root);
        if (!taken) return std::move(taken).error();
        total += taken->byte_size;
        if (total > max_artifact_bytes) {
            return JobError{JobErrorCode::artifact_too_large,
                            "the files made are over the limit of " + std::to_string(max_artifact_bytes) + " bytes",
                            {}};
        }
        const Found file{taken->file.path(), taken->byte_size};
        outcome.files.push_back(std::move(taken->file));
        found.emplace(name, file);
        return file;
    };

    for (const operations::OutputFile& file : manifest.artifacts) {
        const auto taken = take(file.file);
        if (!taken) return taken.error();
        outcome.artifacts.push_back({taken->path, file.file, taken->byte_size, file.kind, file.content_type,
                                     file.extension, file.width, file.height, boost::json::serialize(file.metadata)});
    }
    if (manifest.tileset) {
        const auto taken = take(manifest.tileset->file);
        if (!taken) return taken.error();
        outcome.tileset = TilesetProduct{taken->path,
                                         taken->byte_size,
                                         manifest.tileset->is_delta,
                                         manifest.tileset->geometry,
                                         manifest.tileset->tile_count,
                                         boost::json::serialize(manifest.tileset->options)};
    }
    return outcome;
}

}  // namespace tessera::engine
