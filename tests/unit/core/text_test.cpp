#include "core/text.hpp"

#include <gtest/gtest.h>

namespace tessera {

TEST(Text, IsTrimmedOfSpacesAndTabs) {
    EXPECT_EQ(trimmed(" \t a b\t "), "a b");
    EXPECT_EQ(trimmed("\r a\n"), "\r a\n");
    EXPECT_EQ(trimmed(" \t"), "");
    EXPECT_EQ(trimmed(""), "");
}

TEST(Text, LowerCaseIsOfAsciiLettersAlone) {
    EXPECT_EQ(lower_case("AZ[@`{\xc4"), "az[@`{\xc4");
}

}  // namespace tessera
