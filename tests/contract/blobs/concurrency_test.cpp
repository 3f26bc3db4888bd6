// Many callers at once, and stores of several processes on the same blobs.
#include <atomic>
#include <thread>

#include "backend.hpp"
#include "support.hpp"

namespace tessera::blobs::contract {

using BlobConcurrency = BlobContract;
INSTANTIATE_TEST_SUITE_P(On, BlobConcurrency, testing::ValuesIn(all_backends()), backend_name);

namespace {

void at_once(int threads, const std::function<void(int)>& work) {
    std::vector<std::jthread> running;
    for (int t = 0; t < threads; ++t) running.emplace_back([&work, t] { work(t); });
}

}  // namespace

TEST_P(BlobConcurrency, ManyPublishersEachGetTheirOwnBlobDurably) {
    std::atomic<int> failures = 0;
    at_once(16, [&](int t) {
        for (int i = 0; i < 10; ++i) {
            const auto name = key("area/" + std::to_string(t) + "-" + std::to_string(i));
            const auto text = content(static_cast<std::uint64_t>(t * 100 + i), i == 3 ? 1'500'000 : 5'000);
            if (!put(*store, name, text) || get(*store, name) != text) ++failures;
        }
    });
    EXPECT_EQ(failures, 0);
    EXPECT_EQ(keys(*store).size(), 160U);
}

TEST_P(BlobConcurrency, TheSameContentFromManyIsStoredOnceAndAllSucceed) {
    const auto text = content(5, 200'000);
    const auto name = self_describing_key(text);
    std::atomic<int> failures = 0;
    at_once(16, [&](int) {
        for (int i = 0; i < 5; ++i) {
            if (!put(*store, name, text) || !describes_itself(*store, name)) ++failures;
        }
    });
    EXPECT_EQ(failures, 0);
    EXPECT_EQ(keys(*store).size(), 1U);
}

TEST_P(BlobConcurrency, AReaderSeesAWholeBlobOrNoneWhileItIsWrittenAndRemoved) {
    const auto text = content(6, 300'000);
    const auto name = self_describing_key(text);
    std::atomic<bool> stop = false;
    std::atomic<int> torn = 0;
    std::atomic<int> seen = 0;
    {
        std::jthread reader([&] {
            while (!stop) {
                if (const auto found = get(*store, name)) {
                    ++seen;
                    if (*found != text) ++torn;
                }
            }
        });
        for (int i = 0; i < 40 || seen == 0; ++i) {
            EXPECT_TRUE(put(*store, name, text));
            EXPECT_TRUE(store->remove(name));
            if (i > 4000) break;
        }
        stop = true;
    }
    EXPECT_EQ(torn, 0);
}

TEST_P(BlobConcurrency, TwoStoresOnTheSameBlobsLeaveEachOthersStagingAlone) {
    auto staged = store->stage();
    ASSERT_TRUE(staged);
    ASSERT_TRUE(staged->write(bytes_of("being written while ")));
    const auto other = backend->open();
    ASSERT_NE(other, nullptr);
    ASSERT_TRUE(staged->write(bytes_of("another opens")));
    ASSERT_TRUE(store->publish(*std::move(staged), key("area/x")));
    EXPECT_EQ(get(*other, key("area/x")), "being written while another opens");
}

}  // namespace tessera::blobs::contract
