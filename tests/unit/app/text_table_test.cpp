#include "app/text_table.hpp"

#include <gtest/gtest.h>

namespace tessera::app {
namespace {

TEST(TextTableTest, ColumnsLineUpByCharactersNotBytes) {
    TextTable table({"NAME", "N"});
    table.add({"Zoë", "1"});
    table.add({"longer name", "22"});
    EXPECT_EQ(table.text(), "NAME         N\nZoë          1\nlonger name  22\n");
}

}  // namespace
}  // namespace tessera::app
