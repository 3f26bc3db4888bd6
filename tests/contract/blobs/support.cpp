#include "support.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <random>

#include "core/hash.hpp"
#include "core/hex.hpp"

namespace tessera::blobs::contract {

namespace fs = std::filesystem;

BlobKey key(std::string_view text) {
    auto parsed = BlobKey::parse(text);
    if (!parsed) throw std::invalid_argument(parsed.error().detail);
    return *std::move(parsed);
}

std::span<const std::uint8_t> bytes_of(std::string_view text) {
    return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

std::string content(std::uint64_t seed, std::size_t size) {
    std::mt19937_64 random(seed);
    std::string text(size, '\0');
    std::ranges::generate(text, [&] { return static_cast<char>(random()); });
    return text;
}

Result<void> put(BlobStore& store, const BlobKey& key, std::string_view text) {
    auto staged = store.stage();
    if (!staged) return staged.error();
    auto written = staged->write(bytes_of(text));
    if (!written) return written;
    return store.publish(*std::move(staged), key);
}

std::optional<std::string> get(BlobStore& store, const BlobKey& key) {
    auto blob = store.open(key);
    if (!blob) {
        EXPECT_EQ(blob.error().code, ErrorCode::not_found) << blob.error().detail;
        return std::nullopt;
    }
    std::string text((*blob)->size(), '\0');
    const auto read = (*blob)->read_at(0, {reinterpret_cast<std::uint8_t*>(text.data()), text.size()});
    if (!read && read.error().code == ErrorCode::not_found)
        return std::nullopt;  // removed meanwhile, on a remote store
    EXPECT_TRUE(read.ok()) << read.error().detail;
    return text;
}

std::vector<std::string> keys(BlobStore& store, std::string_view prefix, std::size_t page_size) {
    std::vector<std::string> found;
    std::optional<std::string> from;
    do {
        auto page = store.list(prefix, from, page_size);
        if (!page) {
            ADD_FAILURE() << page.error().detail;
            break;
        }
        EXPECT_LE(page->entries.size(), page_size);
        for (const auto& entry : page->entries) found.push_back(entry.key.text());
        from = page->next;
    } while (from);
    std::ranges::sort(found);
    return found;
}

std::size_t files_below(const fs::path& folder) {
    std::size_t count = 0;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
        if (entry.is_regular_file() && entry.path().filename() != ".lock") ++count;
    }
    return count;
}

BlobKey self_describing_key(std::string_view text) {
    return key("self/" + to_hex(sha256(text)));
}

bool describes_itself(BlobStore& store, const BlobKey& key) {
    const auto text = get(store, key);
    return text && self_describing_key(*text) == key;
}

}  // namespace tessera::blobs::contract
