#include "blobs/s3/range_reader.hpp"
#include "support/temporary_folder.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <latch>
#include <random>
#include <thread>

namespace tessera::blobs {

namespace fs = std::filesystem;

namespace {

class RangeReaderTest : public testing::Test {
  protected:
    void SetUp() override {
        std::mt19937 random(1);
        bytes.resize(10 * block_bytes + 777);
        for (auto& byte : bytes) byte = static_cast<std::uint8_t>(random());
        object = {1, bytes.size(), "", ""};
    }

    RangeReader::Fetch fetch() {
        return [this](std::uint64_t offset, std::span<std::uint8_t> out) -> Result<void> {
            ++fetches;
            if (fail) return storage_unavailable("away");
            std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(offset), out.size(), out.begin());
            return {};
        };
    }
    // Whether the range reads back right.
    bool reads(RangeReader& reader, std::uint64_t offset, std::size_t size) {
        std::vector<std::uint8_t> out(size);
        return reader.read(object, offset, out, fetch()).ok() &&
               std::equal(out.begin(), out.end(), bytes.begin() + static_cast<std::ptrdiff_t>(offset));
    }

    const test::TemporaryFolder folder;
    std::vector<std::uint8_t> bytes;
    RemoteObject object;
    std::atomic<int> fetches = 0;
    std::atomic<bool> fail = false;
};

}  // namespace

TEST_F(RangeReaderTest, AColdRangeIsOneRequestAndAWarmOneNone) {
    BlockCache cache(folder, 1 << 30, 1 << 30);
    RangeReader reader(cache);
    EXPECT_TRUE(reads(reader, block_bytes - 100, 200)) << "across two blocks";
    EXPECT_EQ(fetches, 1);
    EXPECT_TRUE(reads(reader, 0, 2 * block_bytes));
    EXPECT_EQ(fetches, 1);
    EXPECT_TRUE(reads(reader, 0, bytes.size())) << "the rest, in one";
    EXPECT_EQ(fetches, 2);
    EXPECT_TRUE(reads(reader, bytes.size() - 1, 1));
    EXPECT_TRUE(reads(reader, bytes.size(), 0));
    EXPECT_EQ(fetches, 2);
    std::vector<std::uint8_t> out(5000);
    EXPECT_TRUE(reader.try_read(object, 123'456, out));
    EXPECT_TRUE(std::equal(out.begin(), out.end(), bytes.begin() + 123'456));
}

TEST_F(RangeReaderTest, WhatIsInMemoryInOnePieceIsHeldWithoutACopy) {
    BlockCache cache(folder, 1 << 30, 1 << 30);
    RangeReader reader(cache);
    EXPECT_FALSE(reader.hold(object, 100, 10)) << "nothing is there yet";
    EXPECT_TRUE(reads(reader, 0, 2 * block_bytes));
    const auto held = reader.hold(object, 100, 1'000);
    const auto again = reader.hold(object, 100, 1'000);
    ASSERT_TRUE(held && again);
    EXPECT_TRUE(std::equal(held->bytes.begin(), held->bytes.end(), bytes.begin() + 100));
    EXPECT_EQ(held->bytes.data(), again->bytes.data());
    EXPECT_TRUE(reader.hold(object, block_bytes - 5, 5));
    EXPECT_FALSE(reader.hold(object, block_bytes - 5, 6)) << "in two pieces";
    EXPECT_FALSE(reader.hold(object, bytes.size() - 5, 6)) << "past the end";
}

TEST_F(RangeReaderTest, HeldBytesOutliveTheirEviction) {
    BlockCache cache(folder, block_bytes, 0);
    RangeReader reader(cache);
    EXPECT_TRUE(reads(reader, 0, 10));
    const auto held = reader.hold(object, 0, 10);
    ASSERT_TRUE(held);
    EXPECT_TRUE(reads(reader, 5 * block_bytes, 10));
    EXPECT_FALSE(reader.hold(object, 0, 10));
    EXPECT_TRUE(std::equal(held->bytes.begin(), held->bytes.end(), bytes.begin()));
}

TEST_F(RangeReaderTest, ABlockThatTheDiskChangedIsFetchedAgain) {
    BlockCache cache(folder, block_bytes, 1 << 30);
    RangeReader reader(cache);
    EXPECT_TRUE(reads(reader, 0, 3 * block_bytes));
    EXPECT_TRUE(reads(reader, 2 * block_bytes, 1)) << "the last one is the one in memory";
    for (const auto& file : fs::directory_iterator(folder)) {
        const UniqueFd fd(::open(file.path().c_str(), O_WRONLY));
        ASSERT_EQ(::pwrite(fd.get(), "wrong", 5, 700), 5);
    }
    fetches = 0;
    EXPECT_TRUE(reads(reader, 0, block_bytes));
    EXPECT_EQ(fetches, 1);
    EXPECT_TRUE(reads(reader, block_bytes, block_bytes));
    EXPECT_EQ(fetches, 1) << "the others are as they were";
}

TEST_F(RangeReaderTest, PastTheEndIsAnErrorAndNoRequest) {
    BlockCache cache(folder, 1 << 30, 1 << 30);
    RangeReader reader(cache);
    std::vector<std::uint8_t> out(10);
    EXPECT_FALSE(reader.read(object, bytes.size() - 5, out, fetch()));
    EXPECT_FALSE(reader.read(object, ~std::uint64_t{0}, out, fetch()));
    EXPECT_FALSE(reader.try_read(object, bytes.size() - 5, out));
    EXPECT_EQ(fetches, 0);
}

TEST_F(RangeReaderTest, WhatFellOutOfMemoryIsStillOnTheDisk) {
    BlockCache cache(folder, 2 * block_bytes, 1 << 30);
    RangeReader reader(cache);
    EXPECT_TRUE(reads(reader, 0, bytes.size()));
    EXPECT_EQ(fetches, 1);
    for (std::uint64_t index = 0; index < 10; ++index) EXPECT_TRUE(reads(reader, index * block_bytes, block_bytes));
    EXPECT_EQ(fetches, 1);
    std::vector<std::uint8_t> out(10);
    EXPECT_FALSE(reader.try_read(object, 0, out)) << "not in memory: no waiting for the disk";
}

TEST_F(RangeReaderTest, WhatFellOutOfBothIsFetchedAgain) {
    BlockCache cache(folder, block_bytes, 3 * block_bytes);
    RangeReader reader(cache);
    for (int round = 0; round < 3; ++round) {
        for (std::uint64_t index = 0; index < 10; ++index)
            EXPECT_TRUE(reads(reader, index * block_bytes, block_bytes)) << index;
    }
    EXPECT_EQ(fetches, 30);
}

TEST_F(RangeReaderTest, WithoutAnyCacheItStillReads) {
    BlockCache cache(folder / "not" / "there", 0, 0);
    RangeReader reader(cache);
    EXPECT_TRUE(reads(reader, 5, bytes.size() - 10));
    EXPECT_TRUE(reads(reader, 5, bytes.size() - 10));
}

TEST_F(RangeReaderTest, ManyThatWantTheSameMakeOneRequest) {
    BlockCache cache(folder, 1 << 30, 1 << 30);
    RangeReader reader(cache);
    std::latch all_there(16);
    std::atomic<int> wrong = 0;
    const auto slow = [&](std::uint64_t offset, std::span<std::uint8_t> out) -> Result<void> {
        std::this_thread::sleep_for(std::chrono::milliseconds(100));  // so that the others come while it is under way
        return fetch()(offset, out);
    };
    {
        std::vector<std::jthread> threads;
        for (int t = 0; t < 16; ++t) {
            threads.emplace_back([&] {
                std::vector<std::uint8_t> out(1000);
                all_there.arrive_and_wait();
                if (!reader.read(object, 3 * block_bytes + 10, out, slow) ||
                    !std::equal(out.begin(), out.end(), bytes.begin() + 3 * block_bytes + 10))
                    ++wrong;
            });
        }
    }
    EXPECT_EQ(wrong, 0);
    EXPECT_EQ(fetches, 1);
}

TEST_F(RangeReaderTest, AFailureReachesAllWhoWaitedAndIsNotKept) {
    BlockCache cache(folder, 1 << 30, 1 << 30);
    RangeReader reader(cache);
    fail = true;
    EXPECT_FALSE(reads(reader, 0, 10));
    fail = false;
    EXPECT_TRUE(reads(reader, 0, 10));
}

TEST_F(RangeReaderTest, RandomReadsFromManyThreadsOverTinyCachesAreAlwaysRight) {
    BlockCache cache(folder, 2 * block_bytes, 4 * block_bytes);
    RangeReader reader(cache);
    std::atomic<int> wrong = 0;
    {
        std::vector<std::jthread> threads;
        for (unsigned t = 0; t < 8; ++t) {
            threads.emplace_back([&, t] {
                std::mt19937 random(t);
                for (int i = 0; i < 200; ++i) {
                    const std::uint64_t offset = random() % bytes.size();
                    const std::size_t size = random() % std::min<std::size_t>(bytes.size() - offset, 3 * block_bytes);
                    if (!reads(reader, offset, size)) ++wrong;
                }
            });
        }
    }
    EXPECT_EQ(wrong, 0);
}

}  // namespace tessera::blobs
