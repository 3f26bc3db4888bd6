// StagedFile: bytes on the local disk on their way to becoming a blob. Every backend stages here; dropping one that
// was not published removes it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>

#include "core/file.hpp"
#include "core/hash.hpp"
#include "core/result.hpp"

namespace tessera::blobs {

class StagedFile {
  public:
    // A new file at `path`, which must not exist.
    static Result<StagedFile> create(std::filesystem::path path);
    // A finished file of somebody else's, such as an engine's output: from here on it is ours to move or remove.
    static Result<StagedFile> adopt(std::filesystem::path path, std::optional<Digest> sha256 = std::nullopt);

    StagedFile(StagedFile&& other) noexcept;
    StagedFile& operator=(StagedFile&& other) noexcept;
    ~StagedFile();

    Result<void> write(std::span<const std::uint8_t> bytes);
    // Writes the first `size` bytes of another open file.
    Result<void> append(int source, std::uint64_t size);

    [[nodiscard]] std::uint64_t size() const { return size_; }
    // Of all bytes so far. Taken while writing; an adopted file of unknown digest is read once.
    Result<Digest> sha256();
    // Open for reading at any offset, so that an engine can look at the bytes before they are published.
    [[nodiscard]] int descriptor() const { return fd_.get(); }
    // The same file once more: it goes on giving the bytes after the file was published, whatever becomes of its name.
    [[nodiscard]] Result<UniqueFd> duplicate_descriptor() const;
    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

    // Its bytes are on the disk when this returns (not yet its name).
    Result<void> sync();
    // Renames it, still to be removed when dropped.
    Result<void> move_to(std::filesystem::path target);
    // It is somebody else's from here on, under the name it has now.
    void release() { path_.clear(); }

  private:
    StagedFile(std::filesystem::path path, UniqueFd fd) : path_(std::move(path)), fd_(std::move(fd)) {}
    void discard();

    std::filesystem::path path_;
    UniqueFd fd_;
    std::uint64_t size_ = 0;
    std::uint64_t flushing_ = 0;  // bytes whose way to the disk has been started
    std::optional<Sha256> hash_;  // while bytes are still coming
    std::optional<Digest> digest_;
};

}  // namespace tessera::blobs
