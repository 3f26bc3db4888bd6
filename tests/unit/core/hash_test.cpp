#include "core/hash.hpp"

#include <gtest/gtest.h>

#include "core/hex.hpp"

namespace tessera {
namespace {

TEST(Sha256, MatchesThePublishedVectors) {
    EXPECT_EQ(to_hex(sha256("abc")), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    EXPECT_EQ(to_hex(sha256("")), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

TEST(Sha256, OfAStreamIsThatOfTheWhole) {
    Sha256 stream;
    stream.update("a");
    stream.update("bc");
    EXPECT_EQ(stream.finish(), sha256("abc"));
    stream.update("abc");
    EXPECT_EQ(stream.finish(), sha256("abc")) << "finish starts anew";
}

// RFC 4231, test cases 2, 3 and 6.
TEST(HmacSha256, MatchesThePublishedVectors) {
    EXPECT_EQ(to_hex(HmacSha256("Jefe").sign("what do ya want for nothing?")),
              "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
    EXPECT_EQ(to_hex(HmacSha256(std::string(20, '\xaa')).sign(std::string(50, '\xdd'))),
              "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe");
    EXPECT_EQ(
        to_hex(HmacSha256(std::string(131, '\xaa')).sign("Test Using Larger Than Block-Size Key - Hash Key First")),
        "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
}

TEST(HmacSha256, SignsAgainAndAgainAlike) {
    const HmacSha256 hmac("secret");
    const Digest first = hmac.sign("message");
    EXPECT_NE(hmac.sign("another"), first);
    EXPECT_EQ(hmac.sign("message"), first);
}

TEST(ConstantTime, ComparesLengthAndBytes) {
    EXPECT_TRUE(equal_in_constant_time("abc", "abc"));
    EXPECT_FALSE(equal_in_constant_time("abc", "abd"));
    EXPECT_FALSE(equal_in_constant_time("abc", "ab"));
    EXPECT_TRUE(equal_in_constant_time("", ""));
}

TEST(Hex, RoundTripsAndRefuses) {
    std::array<std::uint8_t, 3> bytes{};
    EXPECT_TRUE(from_hex("00fFa1", bytes));
    EXPECT_EQ(to_hex(bytes), "00ffa1");
    EXPECT_FALSE(from_hex("00ff", bytes));
    EXPECT_FALSE(from_hex("00ffg1", bytes));
}

}  // namespace
}  // namespace tessera
