// Staging, publishing, reading and removing.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>

#include "backend.hpp"
#include "core/hash.hpp"
#include "support.hpp"

namespace tessera::blobs::contract {

namespace fs = std::filesystem;

INSTANTIATE_TEST_SUITE_P(On, BlobContract, testing::ValuesIn(all_backends()), backend_name);

TEST_P(BlobContract, APublishedBlobReadsBackWhole) {
    for (const std::size_t size : {0UL, 1UL, 4095UL, 4096UL, 1'000'000UL, 20'000'000UL}) {
        const auto name = key("area/size-" + std::to_string(size));
        const auto text = content(size, size);
        ASSERT_TRUE(put(*store, name, text));
        EXPECT_TRUE(get(*store, name) == text) << size;
    }
}

TEST_P(BlobContract, AStoreOpenedAnewHasWhatAnotherPublished) {
    ASSERT_TRUE(put(*store, key("area/one"), "first"));
    store.reset();
    store = backend->open();
    EXPECT_EQ(get(*store, key("area/one")), "first");
}

TEST_P(BlobContract, WhatIsOnlyStagedIsNotThereAndLeavesNothing) {
    const auto files_before = files_below(backend->local_folder());
    {
        auto staged = store->stage();
        ASSERT_TRUE(staged);
        ASSERT_TRUE(staged->write(bytes_of("half of someth")));
        EXPECT_TRUE(keys(*store).empty());
    }
    EXPECT_EQ(files_below(backend->local_folder()), files_before);
}

TEST_P(BlobContract, AStagedFileKnowsItsSizeAndDigestAndCanBeReadBeforeItIsPublished) {
    auto staged = store->stage();
    ASSERT_TRUE(staged);
    ASSERT_TRUE(staged->write(bytes_of("abc")));
    ASSERT_TRUE(staged->write(bytes_of("def")));
    EXPECT_EQ(staged->size(), 6U);
    char seen[6];
    ASSERT_EQ(::pread(staged->descriptor(), seen, sizeof seen, 0), 6);
    EXPECT_EQ(std::string_view(seen, 6), "abcdef");
    EXPECT_EQ(*staged->sha256(), sha256("abcdef"));
    EXPECT_FALSE(staged->write(bytes_of("more")));
    ASSERT_TRUE(store->publish(*std::move(staged), key("area/x")));
    EXPECT_EQ(get(*store, key("area/x")), "abcdef");
}

TEST_P(BlobContract, AFinishedFileIsAdoptedAndNoLongerWhereItWas) {
    const TemporaryFolder scratch;
    const fs::path output = scratch.path() / "out.png";
    const auto text = content(1, 3'000'000);
    std::ofstream(output, std::ios::binary) << text;

    auto adopted = StagedFile::adopt(output);
    ASSERT_TRUE(adopted) << adopted.error().detail;
    EXPECT_EQ(adopted->size(), text.size());
    EXPECT_EQ(*adopted->sha256(), sha256(text));
    ASSERT_TRUE(store->publish(*std::move(adopted), key("artifacts/a/b/1/out.png")));
    EXPECT_TRUE(get(*store, key("artifacts/a/b/1/out.png")) == text);
    EXPECT_FALSE(fs::exists(output));
}

TEST_P(BlobContract, AFileOfAnotherFilesystemIsAdoptedToo) {
    const fs::path shared = "/dev/shm";
    if (!fs::is_directory(shared)) GTEST_SKIP() << "no second filesystem here";
    const fs::path output = shared / ("tessera-adopt-" + std::to_string(::getpid()));
    std::ofstream(output, std::ios::binary) << "from elsewhere";
    auto adopted = StagedFile::adopt(output);
    ASSERT_TRUE(adopted);
    ASSERT_TRUE(store->publish(*std::move(adopted), key("area/elsewhere")));
    EXPECT_EQ(get(*store, key("area/elsewhere")), "from elsewhere");
    EXPECT_FALSE(fs::exists(output));
}

TEST_P(BlobContract, AnAdoptedSymbolicLinkIsRefused) {
    const TemporaryFolder scratch;
    fs::create_symlink("/etc/passwd", scratch.path() / "out.png");
    EXPECT_FALSE(StagedFile::adopt(scratch.path() / "out.png"));
    ::mkfifo((scratch.path() / "pipe").c_str(), 0600);
    EXPECT_FALSE(StagedFile::adopt(scratch.path() / "pipe"));
    EXPECT_FALSE(StagedFile::adopt(scratch.path()));
}

TEST_P(BlobContract, PublishingTheSameBytesAgainIsFineAndStoresThemOnce) {
    ASSERT_TRUE(put(*store, key("assets/a/x"), "same"));
    ASSERT_TRUE(put(*store, key("assets/a/x"), "same"));
    EXPECT_EQ(get(*store, key("assets/a/x")), "same");
    EXPECT_EQ(keys(*store), std::vector<std::string>{"assets/a/x"});
}

TEST_P(BlobContract, AKeyThatIsThereIsKeptOrWrittenAgainAsAsked) {
    ASSERT_TRUE(put(*store, key("assets/a/x"), "same"));
    for (const auto if_there : {IfThere::keep, IfThere::write_again}) {
        auto staged = store->stage();
        ASSERT_TRUE(staged);
        ASSERT_TRUE(staged->write(bytes_of("same")));
        const auto again = staged->duplicate_descriptor();
        ASSERT_TRUE(again);
        ASSERT_TRUE(store->publish(*std::move(staged), key("assets/a/x"), if_there));
        ASSERT_TRUE(store->remove(key("assets/a/x")));

        // The bytes outlive the name, and can be published once more.
        auto copy = store->stage();
        ASSERT_TRUE(copy);
        ASSERT_TRUE(copy->append(again->get(), 4));
        ASSERT_TRUE(store->publish(*std::move(copy), key("assets/a/x"), if_there));
        EXPECT_EQ(get(*store, key("assets/a/x")), "same");
    }
}

TEST_P(BlobContract, ManyArePublishedInOneCall) {
    std::vector<Publication> publications;
    std::vector<std::string> names;
    for (int i = 0; i < 40; ++i) {
        auto staged = store->stage();
        ASSERT_TRUE(staged);
        names.push_back("artifacts/a/job/1/" + std::to_string(100 + i));
        ASSERT_TRUE(staged->write(bytes_of(names.back())));
        publications.push_back({*std::move(staged), key(names.back())});
    }
    ASSERT_TRUE(store->publish(std::move(publications)));
    EXPECT_EQ(keys(*store), names);
    for (const auto& name : names) EXPECT_EQ(get(*store, key(name)), name);
}

TEST_P(BlobContract, RangesReadExactlyAndNeverPastTheEnd) {
    const auto text = content(7, 100'000);
    ASSERT_TRUE(put(*store, key("area/ranges"), text));
    const auto blob = store->open(key("area/ranges"));
    ASSERT_TRUE(blob);
    EXPECT_EQ((*blob)->size(), text.size());
    std::vector<std::uint8_t> part(1000);
    for (const std::uint64_t offset : {0UL, 1UL, 4095UL, 65'000UL, 99'000UL}) {
        ASSERT_TRUE((*blob)->read_at(offset, part));
        EXPECT_TRUE(std::equal(part.begin(), part.end(), bytes_of(text).begin() + static_cast<std::ptrdiff_t>(offset)));
        if ((*blob)->try_read_at(offset, part)) {
            EXPECT_TRUE(
                std::equal(part.begin(), part.end(), bytes_of(text).begin() + static_cast<std::ptrdiff_t>(offset)));
        }
    }
    EXPECT_FALSE((*blob)->read_at(99'001, part));
    EXPECT_FALSE((*blob)->read_at(5'000'000, part));
    EXPECT_TRUE((*blob)->read_at(text.size(), {}));
}

TEST_P(BlobContract, OpenLocalGivesAFileWithTheWholeBlob) {
    const auto text = content(8, 300'000);
    ASSERT_TRUE(put(*store, key("area/local"), text));
    const auto fd = store->open_local(key("area/local"));
    ASSERT_TRUE(fd);
    EXPECT_EQ(*size_of(fd->get()), text.size());
    std::string seen(text.size(), '\0');
    ASSERT_TRUE(read_exactly_at(fd->get(), 0, {reinterpret_cast<std::uint8_t*>(seen.data()), seen.size()}));
    EXPECT_TRUE(seen == text);
}

TEST_P(BlobContract, WhatIsMissingIsNotFound) {
    EXPECT_EQ(store->open(key("area/none")).error().code, ErrorCode::not_found);
    EXPECT_EQ(store->open_local(key("area/none")).error().code, ErrorCode::not_found);
    EXPECT_EQ(store->open(key("no-such-area/none")).error().code, ErrorCode::not_found);
}

TEST_P(BlobContract, WhatWasRemovedIsGoneAndRemovingTwiceIsFine) {
    ASSERT_TRUE(put(*store, key("area/one"), "1"));
    ASSERT_TRUE(put(*store, key("area/two"), "2"));
    ASSERT_TRUE(store->remove(key("area/one")));
    ASSERT_TRUE(store->remove(key("area/one")));
    ASSERT_TRUE(store->remove(key("nothing/at-all")));
    EXPECT_EQ(get(*store, key("area/one")), std::nullopt);
    EXPECT_EQ(store->open_local(key("area/one")).error().code, ErrorCode::not_found);
    EXPECT_EQ(get(*store, key("area/two")), "2");
    ASSERT_TRUE(put(*store, key("area/one"), "1"));
    EXPECT_EQ(get(*store, key("area/one")), "1");
}

TEST_P(BlobContract, KeysThatDifferOnlyInTheirSlashesAreDifferentBlobs) {
    ASSERT_TRUE(put(*store, key("a/b/c"), "1"));
    ASSERT_TRUE(put(*store, key("a/b-c"), "2"));
    ASSERT_TRUE(put(*store, key("a/b/c/d"), "3"));
    ASSERT_TRUE(put(*store, key("A/b/c"), "4"));
    EXPECT_EQ(get(*store, key("a/b/c")), "1");
    EXPECT_EQ(get(*store, key("a/b-c")), "2");
    EXPECT_EQ(get(*store, key("a/b/c/d")), "3");
    EXPECT_EQ(get(*store, key("A/b/c")), "4");
}

TEST_P(BlobContract, TheLongestKeyWorks) {
    std::string name = "area/" + std::string(BlobKey::max_length - 5, 'n');
    ASSERT_TRUE(put(*store, key(name), "long"));
    EXPECT_EQ(get(*store, key(name)), "long");
}

TEST_P(BlobContract, AStoreThatWorksSaysSo) {
    const auto checked = store->check();
    EXPECT_TRUE(checked) << checked.error().detail;
    EXPECT_TRUE(keys(*store).empty());
}

}  // namespace tessera::blobs::contract
