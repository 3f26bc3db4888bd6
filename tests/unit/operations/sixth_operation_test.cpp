// A program that is linked with one more operation: the registry has it, and the page of operations must.
#include <gmock/gmock.h>

#include <boost/json/parse.hpp>

#include "docs_page.hpp"

namespace tessera::operations {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(SixthOperation, ComesAfterThoseThatAreBuiltIn) {
    const Registry registry = Registry::built_in();
    ASSERT_EQ(registry.all().size(), 6U);
    EXPECT_EQ(registry.all().back()->name(), "same_size");
    EXPECT_THAT(registry.unsupported("same_sise").hint, HasSubstr("did you mean 'same_size'?"));
}

TEST(SixthOperation, SaysWhichImagesItsOptionsName) {
    const Registry registry = Registry::built_in();
    const auto one = Uuid::random();
    const auto two = Uuid::random();
    const boost::json::object options =
        boost::json::parse(R"({"others": [{"other_asset_id": ")" + two.to_string() + R"("}]})").as_object();
    EXPECT_THAT(registry.find("same_size")->images(one, options), ElementsAre(one, two));
}

TEST(SixthOperation, IsMissedInThePageUntilItHasAPlaceAndIsShownThere) {
    const Registry registry = Registry::built_in();
    std::string page;
    for (const auto& operation : registry.all()) {
        if (operation->name() == "same_size") continue;
        page += "<!-- options of " + std::string(operation->name()) + ": made -->\n<!-- end -->\n";
    }
    EXPECT_THAT(operations_missing_in(page, registry), ElementsAre("same_size"));
    page += "<!-- options of same_size: made -->\n<!-- end -->\n";
    EXPECT_THAT(operations_missing_in(page, registry), IsEmpty());
    const std::string shown = with_option_tables(page, registry);
    EXPECT_THAT(shown, HasSubstr("| `others` | list of 1 to 8 objects | required |"));
    EXPECT_THAT(shown, HasSubstr("| `others[].other_asset_id` | uuid | required | One of them. |"));
    EXPECT_EQ(with_option_tables(shown, registry), shown);
}

}  // namespace
}  // namespace tessera::operations
