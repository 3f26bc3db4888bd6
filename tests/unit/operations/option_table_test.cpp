#include "operations/option_table.hpp"

#include <gtest/gtest.h>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <string>

namespace tessera::operations {
namespace {
namespace json = boost::json;

const OptionTable& table() {
    static const OptionTable options{
        integer("width", 1, 1000, "Width."),
        choice("fit", {"inside", "cover"}, "Fit.").defaults_to("inside"),
        integer("quality", 1, 100, "Quality.").defaults_to(80),
        one_of("tile_size", {256, 512}, "Tile size.").defaults_to(256),
        boolean("enlarge", "Enlarge.").defaults_to(false),
        colour("background", "Background.").filled_in("white"),
        uuid("tileset_id", "Tileset."),
        object("preprocess", {boolean("sharpen", "Sharpen.").defaults_to(false)}, "Steps."),
        list("patches", 1, 2, {integer("x", 0, 9, "X.").required(), integer("y", 0, 9, "Y.").defaults_to(0)},
             "Patches."),
    };
    return options;
}

std::string parsed(const std::string& text) {
    const auto result = table().parse(json::parse(text).as_object());
    return result ? json::serialize(*result) : result.error().message;
}

TEST(OptionTable, FillsInDefaultsInTheTablesOrder) {
    EXPECT_EQ(parsed("{}"),
              R"({"fit":"inside","quality":80,"tile_size":256,"enlarge":false,"preprocess":{"sharpen":false}})");
    EXPECT_EQ(
        parsed(R"({"quality":50,"width":7})"),
        R"({"width":7,"fit":"inside","quality":50,"tile_size":256,"enlarge":false,"preprocess":{"sharpen":false}})");
}

TEST(OptionTable, GivesEveryValueOneSpelling) {
    EXPECT_EQ(
        parsed(
            R"({"width":800.0,"quality":8e1,"background":"#FFF","tileset_id":"0190AAAA-0000-7000-8000-00000000000F"})"),
        parsed(R"({"tileset_id":"0190aaaa-0000-7000-8000-00000000000f","background":"#ffffff","width":800})"));
}

TEST(OptionTable, RefusesAnUnknownNameAndGuessesWhatWasMeant) {
    EXPECT_EQ(parsed(R"({"widht":1})"), R"(unknown option "widht"; did you mean "width"?)");
    EXPECT_EQ(parsed(R"({"zzz":1})"), R"(unknown option "zzz")");
    EXPECT_EQ(parsed(R"({"":1})"), R"(unknown option "")");
    EXPECT_EQ(parsed(R"({"Width":1})"), R"(unknown option "Width"; did you mean "width"?)");
    EXPECT_EQ(parsed(R"({"preprocess":{"sharpn":true}})"),
              R"(unknown option "preprocess.sharpn"; did you mean "sharpen"?)");
    EXPECT_LT(parsed("{\"" + std::string(100000, 'w') + "\":1}").size(), 200U);
}

TEST(OptionTable, RefusesWrongTypesAndValuesOutOfRange) {
    for (const char* value : {"\"800\"", "0", "-1", "1001", "1.5", "1e999", "-1e999", "18446744073709551615", "1e300",
                              "null", "true", "[1]", "{}"}) {
        EXPECT_EQ(parsed(std::string("{\"width\":") + value + "}"), "width must be an integer from 1 to 1000") << value;
    }
    for (const char* value : {"0", "\"true\"", "null", "1"}) {
        EXPECT_EQ(parsed(std::string("{\"enlarge\":") + value + "}"), "enlarge must be true or false") << value;
    }
    for (const char* value : {"\"Inside\"", "\"\"", "1", "null", "[\"inside\"]"}) {
        EXPECT_EQ(parsed(std::string("{\"fit\":") + value + "}"), "fit must be inside or cover") << value;
    }
    EXPECT_EQ(parsed(R"({"tile_size":300})"), "tile_size must be 256 or 512");
    EXPECT_EQ(parsed(R"({"tileset_id":"nope"})"), "tileset_id must be a valid uuid");
    EXPECT_EQ(parsed(R"({"tileset_id":5})"), "tileset_id must be a valid uuid");
    EXPECT_EQ(parsed(R"({"background":"#12"})"),
              "background must be a colour such as #ffffff, #ffffff80, white or transparent");
}

TEST(OptionTable, TakesColoursByNameAndGuessesWhichWasMeant) {
    EXPECT_EQ(parsed(R"({"background":"Red"})"), parsed(R"({"background":"#F00"})"));
    const auto hint = [](const std::string& value) {
        return table().parse(json::object{{"background", value}}).error().hint;
    };
    EXPECT_EQ(hint("cornflowerbleu"), "did you mean \"cornflowerblue\"?");
    EXPECT_EQ(hint("WHIET"), "did you mean \"white\"?");
    EXPECT_EQ(hint("transparant"), "did you mean \"transparent\"?");
    EXPECT_EQ(hint("rgb(1,2,3)").substr(0, 11), "colours are");
}

TEST(OptionTable, SaysThatANumberIsNoText) {
    EXPECT_EQ(table().parse(json::object{{"width", "800"}}).error().hint, "write the number without quotes");
    EXPECT_EQ(table().parse(json::object{{"width", 0}}).error().hint, "");
}

TEST(OptionTable, NamesThePlaceOfAFaultInsideAList) {
    EXPECT_EQ(parsed(R"({"patches":[{"x":1},{"x":10}]})"), "patches[1].x must be an integer from 0 to 9");
    EXPECT_EQ(parsed(R"({"patches":[{"y":1}]})"), "patches[0].x is required");
    EXPECT_EQ(parsed(R"({"patches":[7]})"), "patches[0] must be an object");
    EXPECT_EQ(parsed(R"({"patches":[]})"), "patches must have 1 to 2 items");
    EXPECT_EQ(parsed(R"({"patches":{}})"), "patches must be an array of objects");
    EXPECT_EQ(parsed(R"({"preprocess":[]})"), "preprocess must be an object");
}

TEST(OptionTable, ASecondParseChangesNothing) {
    const auto once = table().parse(json::parse(R"({"patches":[{"x":3.0}],"background":"white"})").as_object());
    ASSERT_TRUE(once);
    const auto twice = table().parse(*once);
    ASSERT_TRUE(twice);
    EXPECT_EQ(json::serialize(*once), json::serialize(*twice));
}

TEST(OptionTable, DescribesItselfAsJsonSchema) {
    const json::object schema = table().schema();
    EXPECT_FALSE(schema.at("additionalProperties").as_bool());
    const json::object& properties = schema.at("properties").as_object();
    EXPECT_EQ(properties.size(), table().rows().size());
    EXPECT_EQ(properties.at("quality").at("default").as_int64(), 80);
    EXPECT_EQ(properties.at("width").at("maximum").as_int64(), 1000);
    EXPECT_EQ(json::serialize(properties.at("tile_size").at("enum")), "[256,512]");
    EXPECT_EQ(json::serialize(properties.at("patches").at("items").at("required")), R"(["x"])");
}

}  // namespace
}  // namespace tessera::operations
