// What is particular to S3: refusals at start, verified downloads, few requests.
#include <gtest/gtest.h>

#include <sys/stat.h>

#include <fstream>

#include "blobs/s3/s3_client.hpp"
#include "blobs/s3/s3_store.hpp"
#include "core/random.hpp"
#include "s3_server.hpp"
#include "support.hpp"

namespace tessera::blobs::contract {

namespace {

class S3Faults : public testing::Test {
  protected:
    S3Config config = S3Server::instance().config("faults-" + random_token(12) + "/");
    TemporaryFolder folder;

    std::string refusal() {
        const auto store = open_s3_store(config, folder.path());
        return store ? "it opened" : store.error().message;
    }
};

}  // namespace

TEST_F(S3Faults, AMissingBucketIsNamed) {
    config.bucket = "no-such-bucket";
    EXPECT_EQ(refusal(), "bucket \"no-such-bucket\" at " + config.endpoint +
                             " does not exist\nmake it, or name another one in blobs.url");
}

TEST_F(S3Faults, WrongCredentialsAreToldApart) {
    auto right = config;
    config.secret_access_key = "wrong";
    EXPECT_NE(refusal().find("the secret access key is wrong"), std::string::npos) << refusal();
    config = right;
    config.access_key_id = "NOBODY";
    EXPECT_NE(refusal().find("the access key id is not known"), std::string::npos) << refusal();
    config = right;
    config.access_key_id.clear();
    EXPECT_NE(refusal().find("no S3 credentials"), std::string::npos) << refusal();
}

TEST_F(S3Faults, AStoreThatIsAwayIsNoReasonNotToStartButIsNotReady) {
    config.endpoint = "http://127.0.0.1:1";
    config.attempts = 1;
    auto store = open_s3_store(config, folder.path());
    ASSERT_TRUE(store) << store.error().message;
    EXPECT_EQ((*store)->check().error().code, ErrorCode::storage_unavailable);
    EXPECT_EQ(put(**store, key("a/b"), "x").error().code, ErrorCode::storage_unavailable);
    EXPECT_EQ((*store)->open(key("a/b")).error().code, ErrorCode::storage_unavailable);
    EXPECT_EQ((*store)->list("", std::nullopt, 1).error().code, ErrorCode::storage_unavailable);
    EXPECT_EQ(files_below(folder.path() / "staging"), 0U);
}

TEST_F(S3Faults, AnObjectThatIsNotWhatWasStoredIsNotHandedOut) {
    S3Client client(config);
    std::ofstream(folder.path() / "file") << "these bytes";
    const auto file = open_for_reading(folder.path() / "file");
    ASSERT_TRUE(file);
    // The payload's own digest is checked by the store as it comes in …
    const auto wrong = client.put(key("a/b"), {file->get(), 0, 11}, sha256("other bytes"));
    ASSERT_FALSE(wrong);
    EXPECT_NE(wrong.error().detail.find("SHA256"), std::string::npos) << wrong.error().detail;
    EXPECT_EQ(client.head(key("a/b")).error().code, ErrorCode::not_found);

    // … and that of the whole by us as it goes out: here is an object whose note of it is false.
    auto small_parts = config;
    small_parts.part_bytes = 5 << 20;
    ASSERT_TRUE(S3Client(small_parts).put_in_parts(key("a/c"), {file->get(), 0, 11}, sha256("other bytes")));
    auto store = open_s3_store(config, folder.path());
    ASSERT_TRUE(store);
    const auto opened = (*store)->open_local(key("a/c"));
    ASSERT_FALSE(opened);
    EXPECT_NE(opened.error().detail.find("SHA-256 differs"), std::string::npos) << opened.error().detail;
}

TEST_F(S3Faults, AFailedUploadInPartsLeavesNothing) {
    S3Client client(config);
    std::ofstream(folder.path() / "file") << std::string(100, 'x');
    const auto file = open_for_reading(folder.path() / "file");
    ASSERT_TRUE(file);
    // The file is shorter than it claims to be: its second part can't be read.
    EXPECT_FALSE(client.put_in_parts(key("a/b"), {file->get(), 0, 11 << 20}, sha256("")));
    EXPECT_EQ(client.head(key("a/b")).error().code, ErrorCode::not_found);
}

TEST_F(S3Faults, WhatAKilledProcessLeftHalfWrittenIsRemovedOnceItIsOld) {
    S3Client client(config);
    ASSERT_TRUE(client.begin_upload(key("a/b"), "00"));
    std::ofstream(folder.path() / "empty");
    const auto empty = open_for_reading(folder.path() / "empty");
    ASSERT_TRUE(empty);
    ASSERT_TRUE(client.put(key("tessera-probe/of-a-start"), {empty->get(), 0, 0}, sha256("")));
    auto store = open_s3_store(config, folder.path());
    ASSERT_TRUE(store);
    const Timestamp now = SystemClock().now();
    EXPECT_EQ((*store)->remove_unfinished(now - std::chrono::hours(1)).value_or(-1), 0);
    EXPECT_EQ((*store)->remove_unfinished(now + std::chrono::hours(1)).value_or(-1), 2);
    EXPECT_EQ((*store)->remove_unfinished(now + std::chrono::hours(1)).value_or(-1), 0);
    EXPECT_EQ(client.head(key("tessera-probe/of-a-start")).error().code, ErrorCode::not_found);
}

TEST_F(S3Faults, ObjectsOutsideThePrefixAreNeitherSeenNorTouched) {
    auto store = open_s3_store(config, folder.path());
    ASSERT_TRUE(store);
    auto other_config = config;
    other_config.prefix = "other-" + random_token(8) + "/";
    const TemporaryFolder other_folder;
    auto other = open_s3_store(other_config, other_folder.path());
    ASSERT_TRUE(other);
    ASSERT_TRUE(put(**store, key("a/b"), "mine"));
    EXPECT_TRUE(keys(**other).empty());
    ASSERT_TRUE((*other)->remove(key("a/b")));
    EXPECT_EQ(get(**store, key("a/b")), "mine");
}

TEST_F(S3Faults, TheBucketMayBeInTheHostInsteadOfThePath) {
    config.endpoint.replace(config.endpoint.find("127.0.0.1"), 9, "localhost");
    config.path_style = false;
    auto store = open_s3_store(config, folder.path());
    ASSERT_TRUE(store) << store.error().message;
    ASSERT_TRUE(put(**store, key("a/b"), content(1, 6'000'000)));
    EXPECT_TRUE(get(**store, key("a/b")) == content(1, 6'000'000));
    EXPECT_EQ(keys(**store), std::vector<std::string>{"a/b"});
}

TEST_F(S3Faults, CachesStayWithinTheirBounds) {
    config.cache_bytes = 1 << 20;
    config.memory_cache_bytes = 256 << 10;
    config.object_cache_bytes = 4 << 20;
    auto store = open_s3_store(config, folder.path());
    ASSERT_TRUE(store);
    for (int i = 0; i < 4; ++i)
        ASSERT_TRUE(put(**store, key("a/" + std::to_string(i)), content(static_cast<std::uint64_t>(i), 1'900'000)));
    for (int round = 0; round < 2; ++round) {
        for (int i = 0; i < 4; ++i) {
            const auto text = content(static_cast<std::uint64_t>(i), 1'900'000);
            EXPECT_TRUE(get(**store, key("a/" + std::to_string(i))) == text);
            const auto fd = (*store)->open_local(key("a/" + std::to_string(i)));
            ASSERT_TRUE(fd);
            std::string seen(text.size(), '\0');
            ASSERT_TRUE(read_exactly_at(fd->get(), 0, {reinterpret_cast<std::uint8_t*>(seen.data()), seen.size()}));
            EXPECT_TRUE(seen == text);
        }
    }
    std::uintmax_t blocks = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder.path() / "cache")) {
        struct stat status {};
        if (::stat(entry.path().c_str(), &status) == 0 && entry.is_regular_file())
            blocks += static_cast<std::uintmax_t>(status.st_blocks) * 512;
    }
    EXPECT_LE(blocks, config.cache_bytes + config.object_cache_bytes + (1 << 20));
}

// S3 copies no more than 5 GiB in one step; here it is told that it is less.
TEST_F(S3Faults, ALargeObjectIsCopiedInParts) {
    config.part_bytes = 6'000'000;
    const auto store = open_s3_store(config, folder.path());
    ASSERT_TRUE(store);
    const std::string text = content(3, 13'000'000);
    ASSERT_TRUE(put(**store, key("a/b"), text));
    S3Client client(config);
    const auto copied = client.copy(key("a/b"), "copies/b", 12'000'000);
    ASSERT_TRUE(copied) << copied.error().detail;
    EXPECT_EQ(get(**store, key("copies/b")), text);
    EXPECT_EQ(client.head(key("copies/b"))->sha256, client.head(key("a/b"))->sha256);
}

}  // namespace tessera::blobs::contract
