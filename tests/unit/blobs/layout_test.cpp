#include "blobs/filesystem/layout.hpp"

#include <gtest/gtest.h>

#include <set>

namespace tessera::blobs {

TEST(Layout, APathLeadsBackToItsKey) {
    const Layout layout("/data/blobs");
    for (const auto* text : {"a/b", "assets/x/y", "artifacts/a/b/1/primary.webp", "t/a-b_c.d/e"}) {
        const auto key = *BlobKey::parse(text);
        const auto path = layout.path_of(key);
        EXPECT_EQ(path.parent_path().parent_path(), std::filesystem::path("/data/blobs") / key.area());
        EXPECT_EQ(Layout::key_of(key.area(), path.filename().string()), key);
    }
}

TEST(Layout, ManyKeysSpreadOverAFixedNumberOfFolders) {
    const Layout layout("/data/blobs");
    std::set<std::filesystem::path> folders;
    for (int i = 0; i < 10'000; ++i) folders.insert(layout.folder_of(*BlobKey::parse("assets/x/" + std::to_string(i))));
    EXPECT_EQ(folders.size(), 256U);
}

TEST(Layout, StrangersAreNoKeys) {
    EXPECT_FALSE(Layout::key_of("assets", ".lock"));
    EXPECT_FALSE(Layout::key_of("assets", "a b"));
    EXPECT_FALSE(Layout::key_of("lost+found", ".x"));
    EXPECT_FALSE(Layout::key_of("assets", "+x"));
}

}  // namespace tessera::blobs
