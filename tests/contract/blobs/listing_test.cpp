// Listing by prefix, in pages.
#include <algorithm>
#include <set>

#include "backend.hpp"
#include "support.hpp"

namespace tessera::blobs::contract {

using BlobListing = BlobContract;
INSTANTIATE_TEST_SUITE_P(On, BlobListing, testing::ValuesIn(all_backends()), backend_name);

TEST_P(BlobListing, AnEmptyStoreListsNothing) {
    const auto page = store->list("", std::nullopt, 10);
    ASSERT_TRUE(page);
    EXPECT_TRUE(page->entries.empty());
    EXPECT_EQ(page->next, std::nullopt);
}

TEST_P(BlobListing, EveryPageSizeGivesEachKeyOnce) {
    std::vector<std::string> names;
    for (int i = 0; i < 23; ++i) names.push_back("area" + std::to_string(i % 3) + "/name-" + std::to_string(i));
    for (const auto& name : names) ASSERT_TRUE(put(*store, key(name), name));
    std::ranges::sort(names);
    for (const std::size_t page : {1UL, 2UL, 7UL, 22UL, 23UL, 24UL, 1000UL}) EXPECT_EQ(keys(*store, "", page), names);
}

TEST_P(BlobListing, APrefixEndsAnywhereInAKey) {
    for (const auto* name : {"assets/one/a", "assets/one/b", "assets/only/c", "assets/two/d", "artifacts/one/e"})
        ASSERT_TRUE(put(*store, key(name), name));
    using Names = std::vector<std::string>;
    EXPECT_EQ(keys(*store, "assets/"), (Names{"assets/one/a", "assets/one/b", "assets/only/c", "assets/two/d"}));
    EXPECT_EQ(keys(*store, "assets/on"), (Names{"assets/one/a", "assets/one/b", "assets/only/c"}));
    EXPECT_EQ(keys(*store, "assets/one/"), (Names{"assets/one/a", "assets/one/b"}));
    EXPECT_EQ(keys(*store, "assets/one/a"), (Names{"assets/one/a"}));
    EXPECT_EQ(keys(*store, "a").size(), 5U);
    EXPECT_EQ(keys(*store, "as").size(), 4U);
    EXPECT_EQ(keys(*store, "assets/one/", 1).size(), 2U);
    EXPECT_TRUE(keys(*store, "assetsx").empty());
    EXPECT_TRUE(keys(*store, "../").empty());
}

TEST_P(BlobListing, EntriesTellSizeAndAge) {
    const auto before = SystemClock().now() - std::chrono::minutes(1);
    ASSERT_TRUE(put(*store, key("area/x"), std::string(1234, 'x')));
    const auto page = store->list("area/", std::nullopt, 10);
    ASSERT_TRUE(page);
    ASSERT_EQ(page->entries.size(), 1U);
    EXPECT_EQ(page->entries[0].size, 1234U);
    EXPECT_GT(page->entries[0].modified_at, before);
    EXPECT_LT(page->entries[0].modified_at, before + std::chrono::minutes(2));
}

TEST_P(BlobListing, RemovingWhatEachPageNamedEmptiesTheStore) {
    std::set<std::string> names;
    for (int i = 0; i < 30; ++i) {
        names.insert("area/name-" + std::to_string(i));
        ASSERT_TRUE(put(*store, key("area/name-" + std::to_string(i)), "x"));
    }
    std::optional<std::string> from;
    do {
        const auto page = store->list("area/", from, 4);
        ASSERT_TRUE(page);
        for (const auto& entry : page->entries) {
            EXPECT_EQ(names.erase(entry.key.text()), 1U);
            ASSERT_TRUE(store->remove(entry.key));
        }
        from = page->next;
    } while (from);
    EXPECT_TRUE(names.empty());
    EXPECT_TRUE(keys(*store).empty());
}

}  // namespace tessera::blobs::contract
