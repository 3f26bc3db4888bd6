#include "engine/products.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <boost/json/serialize.hpp>
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

struct Found {
    std::filesystem::path path;
    std::int64_t byte_size = 0;
};

class Taker {
  public:
    Taker(int folder, const TakingTerms& terms, Delivery& delivery)
        : folder_(folder), terms_(terms), delivery_(delivery) {}

    // A file may be an artifact and a tileset's: it is taken once.
    Result<Found, JobError> take(const std::string& name) {
        if (const auto known = found_.find(name); known != found_.end()) return known->second;
        ScratchPath path(terms_.scratch_root / random_token(16));
        const auto size = take_to(name, path);
        if (!size) return size.error();
        const Found file{path.path(), *size};
        delivery_.outcome.files.push_back(std::move(path));
        return found_.emplace(name, file).first->second;
    }

  private:
    // Moves the file first and looks at it then: where it is now, the engine can't put another in its place. It is
    // measured last, when nobody can change it any more or what counts is our copy.
    Result<std::int64_t, JobError> take_to(const std::string& name, ScratchPath& place) {
        if (!is_plain_name(name)) return misbehaved("an output outside of its folder");
        const char* path = place.path().c_str();
        if (::renameat(folder_, name.c_str(), AT_FDCWD, path) != 0) return misbehaved("no output " + name);
        const UniqueFd file(::open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
        if (!file) return misbehaved("an output that can't be opened");
        if (::geteuid() == 0 && ::fchown(file.get(), 0, 0) != 0) return misbehaved("chown of an output");
        if (::fchmod(file.get(), 0600) != 0) return misbehaved("chmod of an output");
        const WriterCheck::Answer writers = terms_.writers.ask(file.get());
        struct stat status {};
        if (::fstat(file.get(), &status) != 0) return misbehaved("an output that can't be looked at");
        if (!S_ISREG(status.st_mode) || status.st_nlink != 1) return misbehaved("an output that is no plain file");
        total_ += status.st_size;
        if (total_ > terms_.max_artifact_bytes) return too_large();
        if (writers == WriterCheck::Answer::no_writer) return status.st_size;
        if (writers == WriterCheck::Answer::writer) delivery_.writer_left = true;
        return copy(file.get(), status.st_size, place);
    }

    // What has a writer, or may have one, is left to it: we go on with bytes of our own.
    Result<std::int64_t, JobError> copy(int file, std::int64_t size, ScratchPath& place) {
        ScratchPath ours(terms_.scratch_root / random_token(16));
        const auto copied = copy_to_new_file(file, static_cast<std::uint64_t>(size), ours.path());
        if (!copied) {
            return JobError{JobErrorCode::storage_unavailable, "files could not be written", copied.error().detail};
        }
        place = std::move(ours);
        return size;
    }

    [[nodiscard]] JobError too_large() const {
        return {JobErrorCode::artifact_too_large,
                "the files made are over the limit of " + std::to_string(terms_.max_artifact_bytes) + " bytes",
                {}};
    }

    int folder_;
    const TakingTerms& terms_;
    Delivery& delivery_;
    std::map<std::string, Found> found_;
    std::int64_t total_ = 0;
};

}  // namespace

Result<Delivery, JobError> take_products(const operations::Manifest& manifest, int folder, const TakingTerms& terms) {
    Delivery delivery;
    Taker taker(folder, terms, delivery);
    for (const operations::OutputFile& file : manifest.artifacts) {
        const auto taken = taker.take(file.file);
        if (!taken) return taken.error();
        delivery.outcome.artifacts.push_back({taken->path, file.file, taken->byte_size, file.kind, file.content_type,
                                              file.extension, file.width, file.height,
                                              boost::json::serialize(file.metadata)});
    }
    if (manifest.tileset) {
        const auto taken = taker.take(manifest.tileset->file);
        if (!taken) return taken.error();
        delivery.outcome.tileset = TilesetProduct{taken->path,
                                                  taken->byte_size,
                                                  manifest.tileset->is_delta,
                                                  manifest.tileset->geometry,
                                                  manifest.tileset->tile_count,
                                                  boost::json::serialize(manifest.tileset->options)};
    }
    return delivery;
}

}  // namespace tessera::engine
