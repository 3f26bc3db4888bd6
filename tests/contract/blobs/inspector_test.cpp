// How a check looks into a store, and how it sets things aside.
#include <gmock/gmock.h>

#include <algorithm>

#include "inspect.hpp"
#include "support.hpp"

namespace tessera::blobs::contract {

class BlobInspector : public BlobContract {
  protected:
    void SetUp() override {
        BlobContract::SetUp();
        inspector = inspect(*backend);
    }
    std::optional<std::string> set_aside(const std::string& name, bool may_go = true) {
        auto moved = inspector->set_aside(key(name), "run-1", R"({"why":"a test"})", [&] { return may_go; });
        EXPECT_TRUE(moved) << moved.error().detail;
        return moved ? *moved : std::nullopt;
    }

    std::unique_ptr<Inspector> inspector;
};
INSTANTIATE_TEST_SUITE_P(On, BlobInspector, testing::ValuesIn(all_backends()), backend_name);

TEST_P(BlobInspector, LooksAtABlobAndReadsIt) {
    const std::string text = content(7, 3'000'000);
    ASSERT_TRUE(put(*store, key("area/x"), text));
    const auto there = inspector->look_at(key("area/x"));
    ASSERT_TRUE(there && *there);
    EXPECT_EQ((*there)->size, text.size());
    std::string read;
    ASSERT_TRUE(inspector->read(key("area/x"),
                                [&](std::span<const std::uint8_t> bytes) { read.append(bytes.begin(), bytes.end()); }));
    EXPECT_EQ(read, text);
    const auto at = inspector->open(key("area/x"));
    ASSERT_TRUE(at);
    std::vector<std::uint8_t> part(10);
    ASSERT_TRUE((*at)(1'000'000, part));
    EXPECT_EQ(std::string(part.begin(), part.end()), text.substr(1'000'000, 10));
}

TEST_P(BlobInspector, WhatIsNotThereIsNoError) {
    const auto there = inspector->look_at(key("area/x"));
    ASSERT_TRUE(there);
    EXPECT_FALSE(*there);
    const auto read = inspector->read(key("area/x"), [](auto) {});
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().code, ErrorCode::not_found);
    EXPECT_FALSE(inspector->open(key("area/x")));
}

TEST_P(BlobInspector, ListsWhatTheStoreLists) {
    for (const char* name : {"a/1", "a/2", "b/3"}) ASSERT_TRUE(put(*store, key(name), name));
    std::vector<std::string> names;
    std::optional<std::string> from;
    do {
        const auto page = inspector->list(from, 2);
        ASSERT_TRUE(page);
        for (const auto& entry : page->entries) names.push_back(entry.key.text());
        from = page->next;
    } while (from);
    std::ranges::sort(names);
    EXPECT_EQ(names, keys(*store));
}

TEST_P(BlobInspector, WhatIsSetAsideIsNoBlobAnyMoreAndIsNotLost) {
    ASSERT_TRUE(put(*store, key("area/x"), "the bytes"));
    ASSERT_TRUE(put(*store, key("area/y"), "others"));
    const auto moved = set_aside("area/x");
    ASSERT_TRUE(moved);
    EXPECT_THAT(*moved, testing::HasSubstr("quarantine/run-1/area/x"));
    EXPECT_EQ(keys(*store), (std::vector<std::string>{"area/y"})) << "and no sweep takes it for a blob";
    EXPECT_FALSE(*inspector->look_at(key("area/x")));
    EXPECT_EQ(quarantined(*backend, "run-1/area/x"), "the bytes");
    EXPECT_EQ(quarantined(*backend, "run-1/area/x.json"), R"({"why":"a test"})");
}

TEST_P(BlobInspector, SettingAsideMayBeRepeated) {
    ASSERT_TRUE(put(*store, key("area/x"), "the bytes"));
    const auto first = set_aside("area/x");
    EXPECT_EQ(set_aside("area/x"), first);
    EXPECT_EQ(quarantined(*backend, "run-1/area/x"), "the bytes");
}

TEST_P(BlobInspector, ABlobThatSomebodyNamesInTheLastMomentStays) {
    ASSERT_TRUE(put(*store, key("area/x"), "the bytes"));
    EXPECT_FALSE(set_aside("area/x", false));
    EXPECT_EQ(get(*store, key("area/x")), "the bytes");
}

TEST_P(BlobInspector, ItsBytesAreSafeBeforeItsNameGoes) {
    ASSERT_TRUE(put(*store, key("area/x"), "the bytes"));
    bool asked = false;
    ASSERT_TRUE(inspector->set_aside(key("area/x"), "run-1", "{}", [&]() -> Result<bool> {
        asked = true;
        EXPECT_EQ(quarantined(*backend, "run-1/area/x"), "the bytes");
        return true;
    }));
    EXPECT_TRUE(asked);
}

TEST_P(BlobInspector, AStoreThatIsSoundHasNoLeftovers) {
    ASSERT_TRUE(put(*store, key("area/x"), "the bytes"));
    auto half = store->stage();  // by a process that lives
    ASSERT_TRUE(half && half->write(bytes_of("half")));
    ASSERT_TRUE(
        inspector->leftovers(SystemClock().now(), [](const Leftover& leftover) { ADD_FAILURE() << leftover.where; }));
}

}  // namespace tessera::blobs::contract
