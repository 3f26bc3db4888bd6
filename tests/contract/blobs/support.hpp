// Small helpers of the blob contract suite: contents that can be told from their keys, reading whole blobs.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "blobs/blob_store.hpp"
#include "support/temporary_folder.hpp"

namespace tessera::blobs::contract {

using test::TemporaryFolder;

BlobKey key(std::string_view text);
std::span<const std::uint8_t> bytes_of(std::string_view text);
// `size` bytes that depend on the seed, so that no two blobs are alike.
std::string content(std::uint64_t seed, std::size_t size);
// Stages and publishes; the error when that fails.
Result<void> put(BlobStore& store, const BlobKey& key, std::string_view text);
// The whole blob; nothing when there is none.
std::optional<std::string> get(BlobStore& store, const BlobKey& key);
// Every key that starts with `prefix`, sorted, read in pages of `page` entries.
std::vector<std::string> keys(BlobStore& store, std::string_view prefix = "", std::size_t page = 1000);
// Files anywhere below `folder`, lock files aside.
std::size_t files_below(const std::filesystem::path& folder);

// A blob whose key says what is in it: "self/<sha256>". Whether it is complete can be told by anyone.
BlobKey self_describing_key(std::string_view text);
bool describes_itself(BlobStore& store, const BlobKey& key);

}  // namespace tessera::blobs::contract
