#include "blobs/filesystem/layout.hpp"

#include <algorithm>
#include <span>

#include "core/hash.hpp"
#include "core/hex.hpp"

namespace tessera::blobs {

std::filesystem::path Layout::folder_of(const BlobKey& key) const {
    const Digest digest = sha256(key.name());
    return root_ / key.area() / to_hex(std::span(digest).first(1));
}

std::filesystem::path Layout::path_of(const BlobKey& key) const {
    return folder_of(key) / file_name_of(key);
}

std::string Layout::file_name_of(const BlobKey& key) {
    std::string name(key.name());
    std::ranges::replace(name, '/', '+');
    return name;
}

std::optional<BlobKey> Layout::key_of(std::string_view area, std::string_view file_name) {
    if (file_name.find('/') != std::string_view::npos) return std::nullopt;
    std::string text = std::string(area) + "/" + std::string(file_name);
    std::ranges::replace(text, '+', '/');
    auto key = BlobKey::parse(text);
    if (!key) return std::nullopt;
    return *std::move(key);
}

}  // namespace tessera::blobs
