// The blobs of one backup, as a file of lines "SHA-256 size key" in the order of the keys: read and compared in one
// pass, however many there are.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "metadata/transfer.hpp"

namespace tessera::app {

class BlobListWriter {
  public:
    explicit BlobListWriter(std::filesystem::path file);

    // In the order of the keys; without a digest where it is not known yet.
    void add(const metadata::NamedBlob& blob);
    // On the disk under its name when it returns, which it was not before.
    Result<void> finish();

  private:
    const std::filesystem::path file_;
    const std::filesystem::path draft_;
    std::ofstream out_;
};

class BlobListReader {
  public:
    explicit BlobListReader(const std::filesystem::path& file);

    // The next one, if there is one. A list that can't be read is an error, not a shorter list.
    Result<std::optional<metadata::NamedBlob>> next();

  private:
    const std::filesystem::path file_;
    std::ifstream in_;
    std::string last_key_;
};

// Every key that one of `lists` names, once, with the numbers of the lists that name it.
using UseKey = std::function<Result<void>(const metadata::NamedBlob& blob, const std::vector<std::size_t>& named_by)>;
Result<void> each_key_of(const std::vector<std::filesystem::path>& lists, const UseKey& use);

}  // namespace tessera::app
