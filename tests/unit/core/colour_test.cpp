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

TEST(Colour, HasTheNamesOfCssInEitherCase) {
    EXPECT_EQ(Colour::parse("red"), (Colour{255, 0, 0, 255}));
    EXPECT_EQ(Colour::parse("RebeccaPurple")->to_string(), "#663399");
    EXPECT_EQ(Colour::parse("BLACK"), (Colour{0, 0, 0, 255}));
    EXPECT_EQ(Colour::parse("Transparent"), (Colour{0, 0, 0, 0}));
    EXPECT_EQ(Colour::parse("lightgoldenrodyellow")->to_string(), "#fafad2");
    EXPECT_EQ(Colour::parse("grey"), Colour::parse("gray"));
    EXPECT_EQ(named_colours().size(), 148U);
    for (const NamedColour& named : named_colours()) {
        const auto colour = Colour::parse(named.name);
        ASSERT_TRUE(colour) << named.name;
        EXPECT_EQ(colour->red << 16 | colour->green << 8 | colour->blue, static_cast<int>(named.rgb)) << named.name;
        EXPECT_TRUE(colour->opaque());
    }
}

TEST(Colour, RefusesEverythingElse) {
    for (const char* text : {"", "#", "#12", "#12345", "#1234567", "#123456789", "#ggg", "fff", "red ", "#ff 000",
                             "reddish", "redd", "currentcolor"}) {
        EXPECT_FALSE(Colour::parse(text)) << text;
    }
}

}  // namespace
}  // namespace tessera
