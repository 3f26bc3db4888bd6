#include "core/colour.hpp"

#include <gtest/gtest.h>

namespace tessera {
namespace {

TEST(Colour, ReadsEveryNotationAndWritesOne) {
    EXPECT_EQ(Colour::parse("#f80"), (Colour{255, 136, 0, 255}));
    EXPECT_EQ(Colour::parse("#F808"), (Colour{255, 136, 0, 136}));
    EXPECT_EQ(Colour::parse("#FF8800"), (Colour{255, 136, 0, 255}));
    EXPECT_EQ(Colour::parse("#ff880080"), (Colour{255, 136, 0, 128}));
    EXPECT_EQ(Colour::parse("transparent"), (Colour{0, 0, 0, 0}));
    EXPECT_EQ(Colour::parse("white")->to_string(), "#ffffff");
    EXPECT_EQ(Colour::parse("#FF880080")->to_string(), "#ff880080");
    EXPECT_EQ(Colour::parse("#ABC")->to_string(), "#aabbcc");
}

TEST(Colour, RefusesEverythingElse) {
    for (const char* text : {"", "#", "#12", "#12345", "#1234567", "#123456789", "#ggg", "fff", "red ", "#ff 000"}) {
        EXPECT_FALSE(Colour::parse(text)) << text;
    }
}

}  // namespace
}  // namespace tessera
