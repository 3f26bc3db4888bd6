#include "core/plain_numbers.hpp"

#include <gtest/gtest.h>

namespace tessera {
namespace {

TEST(PlainNumbers, LoseTheirExponentAndKeepTheirValue) {
    EXPECT_EQ(with_plain_numbers(R"({"score":8.054E1,"x":-2.5E-1,"whole":2E0,"no":0E0,"many":[1E2,3e+0]})"),
              R"({"score":80.54,"x":-0.25,"whole":2,"no":0,"many":[100,3]})");
    EXPECT_EQ(with_plain_numbers("1.2345678901234567E-6"), "0.0000012345678901234567");
    EXPECT_EQ(with_plain_numbers("-1.2345678901234567E14"), "-123456789012345.67");
}

TEST(PlainNumbers, BeyondWhatPeopleWriteOutStayAsTheyAre) {
    EXPECT_EQ(with_plain_numbers("[1E300,5E-324,1E15,9E-7]"), "[1E300,5E-324,1E15,9E-7]");
}

TEST(PlainNumbers, LeaveEverythingElseAlone) {
    const std::string text =
        R"({"a\"8E1":"\\","8E1":"1E2 \u00e9","t":true,"f":false,"n":null,"i":-18446744073709551615})";
    EXPECT_EQ(with_plain_numbers(text), text);
    EXPECT_EQ(with_plain_numbers(""), "");
    EXPECT_EQ(with_plain_numbers("\"cut \\"), "\"cut \\") << "no text is read beyond its end";
}

}  // namespace
}  // namespace tessera
