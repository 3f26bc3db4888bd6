// What the filesystem store promises about its disk: what was acknowledged survives a loss of power, and a full disk is
// a clear error that leaves nothing behind.
#include <gtest/gtest.h>

#include <thread>

#include "blobs/filesystem/filesystem_store.hpp"
#include "mounted_folder.hpp"
#include "support.hpp"

namespace tessera::blobs::contract {

TEST(FilesystemFaults, WhatWasAcknowledgedSurvivesALossOfPower) {
    const auto disk = MountedFolder::ext4(96 << 20);
    if (!disk) GTEST_SKIP() << "mounting needs root and a loop device";
    std::vector<BlobKey> acknowledged;
    for (int round = 0; round < 3; ++round) {
        {
            auto store = open_filesystem_store(disk->path());
            ASSERT_TRUE(store) << store.error().detail;
            std::mutex mutex;
            const auto publish = [&](std::uint64_t seed, std::size_t size) {
                const auto text = content(seed, size);
                EXPECT_TRUE(put(**store, self_describing_key(text), text));
                const std::lock_guard lock(mutex);
                acknowledged.push_back(self_describing_key(text));
            };
            // Alone, as a crowd (synced together), and large.
            const auto base = static_cast<std::uint64_t>(round) * 1000;
            publish(base + 1, 10'000);
            {
                std::vector<std::jthread> crowd;
                for (std::uint64_t t = 0; t < 24; ++t) crowd.emplace_back([&, t] { publish(base + 100 + t, 20'000); });
            }
            publish(base + 2, 3'000'000);
            publish(base + 1, 10'000);  // there already
            publish(base + 3, 1);
        }
        ASSERT_TRUE(disk->cut_power_and_mount_again());
        auto store = open_filesystem_store(disk->path());
        ASSERT_TRUE(store);
        for (const auto& name : acknowledged) EXPECT_TRUE(describes_itself(**store, name)) << name.text();
        for (const auto& name : keys(**store)) EXPECT_TRUE(describes_itself(**store, key(name))) << name;
    }
}

TEST(FilesystemFaults, AFullDiskIsAClearErrorAndLeavesNothingBehind) {
    const auto disk = MountedFolder::tmpfs(4 << 20);
    if (!disk) GTEST_SKIP() << "mounting needs root";
    auto store = open_filesystem_store(disk->path());
    ASSERT_TRUE(store);
    ASSERT_TRUE(put(**store, key("area/before"), content(1, 1 << 20)));

    const auto failed = put(**store, key("area/too-large"), content(2, 8 << 20));
    ASSERT_FALSE(failed);
    EXPECT_EQ(failed.error().code, ErrorCode::storage_unavailable);
    EXPECT_NE(failed.error().detail.find("No space left"), std::string::npos) << failed.error().detail;
    EXPECT_EQ(files_below(disk->path() / "staging"), 0U);
    EXPECT_EQ(keys(**store), std::vector<std::string>{"area/before"});

    // Room comes back, and so does the store.
    EXPECT_TRUE((*store)->check());
    EXPECT_TRUE(put(**store, key("area/after"), content(3, 2 << 20)));
    EXPECT_TRUE(put(**store, key("area/fills"), content(4, 700'000)));
    auto rest = (*store)->stage();
    ASSERT_TRUE(rest);
    while (rest->write(bytes_of(std::string(4096, 'x')))) {
    }
    const auto full = (*store)->check();
    ASSERT_FALSE(full);
    EXPECT_EQ(full.error().code, ErrorCode::storage_unavailable);
    EXPECT_EQ(get(**store, key("area/before")), content(1, 1 << 20)) << "reading goes on";
}

}  // namespace tessera::blobs::contract
