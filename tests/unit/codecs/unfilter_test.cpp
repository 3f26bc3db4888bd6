#include "codecs/png/unfilter.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace tessera::codecs {
namespace {

using Bytes = std::vector<std::uint8_t>;

Bytes noise(std::size_t size) {
    std::mt19937 random(6);
    Bytes bytes(size);
    for (auto& byte : bytes) byte = static_cast<std::uint8_t>(random());
    return bytes;
}

TEST(Unfilter, TwoRowsAtOnceAreWhatTheyAreOneByOne) {
    for (const int pixel : {3, 4}) {
        for (const std::size_t width : {64U, 65U, 100U, 256U, 512U}) {
            const std::size_t size = width * static_cast<std::size_t>(pixel);
            const Bytes above = noise(size + unfilter_slack);
            for (int filters = 0; filters < 25; ++filters) {
                Bytes stored = noise(2 * (size + 1) + unfilter_slack);
                stored[0] = static_cast<std::uint8_t>(filters / 5);
                stored[size + 1] = static_cast<std::uint8_t>(filters % 5);
                Bytes one_by_one(2 * size + unfilter_slack);
                ASSERT_TRUE(unfilter(stored[0], &stored[1], above.data(), one_by_one.data(), size, pixel));
                ASSERT_TRUE(
                    unfilter(stored[size + 1], &stored[size + 2], one_by_one.data(), &one_by_one[size], size, pixel));
                Bytes at_once(2 * size + unfilter_slack);
                const auto looks_left = [](int filter) { return filter == 1 || filter == 3 || filter == 4; };
                const bool done = unfilter_two(stored.data(), above.data(), at_once.data(), size, pixel);
                EXPECT_EQ(done, looks_left(filters / 5) && looks_left(filters % 5)) << filters;
                one_by_one.resize(2 * size);
                at_once.resize(2 * size);
                EXPECT_TRUE(!done || at_once == one_by_one) << pixel << " " << width << " " << filters;
            }
        }
    }
}

TEST(Unfilter, TwoRowsAreLeftAloneWhereTheyAreShortOrHaveNoSuchFilter) {
    const Bytes above(1000);
    Bytes out(2000);
    Bytes stored(2000, 1);
    EXPECT_TRUE(unfilter_two(stored.data(), above.data(), out.data(), 768, 3));
    EXPECT_FALSE(unfilter_two(stored.data(), above.data(), out.data(), 60, 3));
    EXPECT_FALSE(unfilter_two(stored.data(), above.data(), out.data(), 769, 3));
    EXPECT_FALSE(unfilter_two(stored.data(), above.data(), out.data(), 768, 2));
    stored[769] = 5;
    EXPECT_FALSE(unfilter_two(stored.data(), above.data(), out.data(), 768, 3));
}

}  // namespace
}  // namespace tessera::codecs
