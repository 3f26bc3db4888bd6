// Layout: where a key's file lies. blobs/<area>/<two hex digits>/<name, '/' as '+'>: a fixed number of folders, so that
// none grows without bound, none has to be made for each blob, and none is ever removed under a writer.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "blobs/blob_key.hpp"

namespace tessera::blobs {

class Layout {
  public:
    explicit Layout(std::filesystem::path root) : root_(std::move(root)) {}

    [[nodiscard]] const std::filesystem::path& root() const { return root_; }
    [[nodiscard]] std::filesystem::path folder_of(const BlobKey& key) const;
    [[nodiscard]] std::filesystem::path path_of(const BlobKey& key) const;

    static std::string file_name_of(const BlobKey& key);
    // Nothing for a file that no key has.
    static std::optional<BlobKey> key_of(std::string_view area, std::string_view file_name);

  private:
    std::filesystem::path root_;
};

}  // namespace tessera::blobs
