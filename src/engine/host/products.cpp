#include "engine/host/products.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <vector>

#include "core/random.hpp"
#include "operations/inspection.hpp"

namespace tessera::engine {
namespace {

using operations::misbehaved;

bool is_plain_name(const std::string& name) {
    return !name.empty() && name != "." && name != ".." && name.find('/') == std::string::npos &&
           name.find('\0') == std::string::npos;
}

struct Taken {
    std::int64_t byte_size = 0;
    UniqueFd file;  // open for reading
};

class Taker {
  public:
    Taker(int folder, const TakingTerms& terms, Delivery& delivery)
        : folder_(folder), terms_(terms), delivery_(delivery) {}

    Result<operations::FileMade, JobError> take(const std::string& name) {
        ScratchPath path(terms_.scratch_root / random_token(16));
        auto taken = take_to(name, path);
        if (!taken) return std::move(taken).error();
        delivery_.outcome.files.insert_or_assign(name, std::move(path));
        const Taken& kept = taken_.emplace_back(std::move(*taken));
        return operations::FileMade{kept.file.get(), kept.byte_size};
    }

  private:
    // Moves the file first and looks at it then: where it is now, the engine can't put another in its place. It is
    // measured last, when nobody can change it any more or what counts is our copy.
    Result<Taken, JobError> take_to(const std::string& name, ScratchPath& place) {
        if (!is_plain_name(name)) return misbehaved("an output outside of its folder");
        const char* path = place.path().c_str();
        if (::renameat(folder_, name.c_str(), AT_FDCWD, path) != 0) return misbehaved("no output " + name);
        UniqueFd file(::open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
        if (!file) return misbehaved("an output that can't be opened");
        if (::geteuid() == 0 && ::fchown(file.get(), 0, 0) != 0) return misbehaved("chown of an output");
        if (::fchmod(file.get(), 0600) != 0) return misbehaved("chmod of an output");
        const WriterCheck::Answer writers = terms_.writers.ask(file.get());
        struct stat status {};
        if (::fstat(file.get(), &status) != 0) return misbehaved("an output that can't be looked at");
        if (!S_ISREG(status.st_mode) || status.st_nlink != 1) return misbehaved("an output that is no plain file");
        total_ += status.st_size;
        if (total_ > terms_.max_artifact_bytes) return too_large();
        if (writers == WriterCheck::Answer::no_writer) return Taken{status.st_size, std::move(file)};
        if (writers == WriterCheck::Answer::writer) delivery_.writer_left = true;
        return copy(file.get(), status.st_size, place);
    }

    // What has a writer, or may have one, is left to it: we go on with bytes of our own.
    Result<Taken, JobError> copy(int file, std::int64_t size, ScratchPath& place) {
        ScratchPath ours(terms_.scratch_root / random_token(16));
        auto copied = copy_to_new_file(file, static_cast<std::uint64_t>(size), ours.path());
        if (!copied) {
            return JobError{JobErrorCode::storage_unavailable, "files could not be written", copied.error().detail};
        }
        // Whoever kept a mapping of it has no more of the disk than this.
        if (::truncate(place.path().c_str(), 0) != 0) return misbehaved("an output that can't be cut");
        place = std::move(ours);
        return Taken{size, std::move(*copied)};
    }

    [[nodiscard]] JobError too_large() const {
        return {JobErrorCode::artifact_too_large,
                "the files made are over the limit of " + std::to_string(terms_.max_artifact_bytes) + " bytes",
                {}};
    }

    int folder_;
    const TakingTerms& terms_;
    Delivery& delivery_;
    std::vector<Taken> taken_;  // open while they are looked at
    std::int64_t total_ = 0;
};

}  // namespace

Result<Delivery, JobError> take_products(const operations::ProductPlan& plan, const operations::RunRequest& request,
                                         const operations::Manifest& claimed, int folder, const TakingTerms& terms) {
    Delivery delivery;
    Taker taker(folder, terms, delivery);
    auto manifest =
        operations::inspect(plan, request, claimed, [&](const std::string& name) { return taker.take(name); });
    if (!manifest) return std::move(manifest).error();
    delivery.outcome.manifest = std::move(*manifest);
    return delivery;
}

}  // namespace tessera::engine
