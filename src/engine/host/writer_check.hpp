// Whether somebody can still write to a file that an engine handed over: it may have kept a descriptor or a mapping.
// The kernel knows, and tells whoever asks for a read lease. What it tells depends on the filesystem, so that this is
// tried out at start.
#pragma once

#include <filesystem>

#include "core/file.hpp"
#include "core/result.hpp"

namespace tessera::engine {

class WriterCheck {
  public:
    enum class Sight {
        nothing,      // no leases here
        descriptors,  // but not mappings, as on overlayfs
        all,
    };
    enum class Answer { no_writer, writer, unknown };

    // Tries leases out on a file of its own in `folder`.
    static WriterCheck try_out(const std::filesystem::path& folder);
    explicit WriterCheck(Sight sight) : sight_(sight) {}

    [[nodiscard]] Sight sight() const { return sight_; }
    // `file` is open for reading alone, and has no name that a writer could open.
    [[nodiscard]] Answer ask(int file) const;

  private:
    Sight sight_;
};

// The first `size` bytes of `source` as a new file at `path`: shared blocks where the filesystem can, else copied.
Result<UniqueFd> copy_to_new_file(int source, std::uint64_t size, const std::filesystem::path& path);

}  // namespace tessera::engine
