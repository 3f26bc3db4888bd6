#include "codecs/png/inflate.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "codecs/png/photo_deflate.hpp"

namespace tessera::codecs {
namespace {

using Bytes = std::vector<std::uint8_t>;

Bytes noise(std::size_t size) {
    Bytes bytes(size);
    std::uint32_t state = 7;
    for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>((state = state * 1664525 + 1013904223) >> 26);
    return bytes;
}

TEST(Inflate, GivesBackWhatWasPacked) {
    const Bytes whole = noise(200'000);
    Bytes packed;
    photo_deflate(whole, photo_blocks(whole.size()), packed);
    Bytes out(whole.size());
    ASSERT_TRUE(inflate_into(out, packed));
    EXPECT_EQ(out, whole);
}

TEST(Inflate, RefusesStreamsThatHoldMoreOrLess) {
    const Bytes whole = noise(10'000);
    Bytes packed;
    photo_deflate(whole, photo_blocks(whole.size()), packed);
    Bytes larger(whole.size() + 1);
    EXPECT_FALSE(inflate_into(larger, packed));
    Bytes smaller(whole.size() - 1);
    EXPECT_FALSE(inflate_into(smaller, packed));
}

TEST(Inflate, RefusesEveryCutAndEveryWrongByte) {
    const Bytes whole = noise(300);
    Bytes packed;
    photo_deflate(whole, photo_blocks(whole.size()), packed);
    Bytes out(whole.size());
    for (std::size_t size = 0; size < packed.size(); ++size) {
        EXPECT_FALSE(inflate_into(out, std::span(packed).first(size))) << size;
    }
    for (std::size_t at = 0; at < packed.size(); ++at) {
        Bytes wrong = packed;
        wrong[at] ^= 0x10;
        EXPECT_FALSE(inflate_into(out, wrong) && out != whole) << at;
    }
    packed.back() ^= 1;  // of the checksum
    EXPECT_FALSE(inflate_into(out, packed));
}

}  // namespace
}  // namespace tessera::codecs
