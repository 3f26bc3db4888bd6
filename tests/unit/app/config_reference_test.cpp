#include <gtest/gtest.h>

#include "app/config/print.hpp"
#include "scratch.hpp"

namespace tessera::app {
namespace {

TEST(ConfigReferenceTest, ThePageInDocsIsUpToDate) {
    EXPECT_EQ(content_of(std::filesystem::path(TESSERA_SOURCE_DIR) / "docs" / "configuration.md"), config_reference())
        << "make it anew: build/release/tessera config reference > docs/configuration.md";
}

}  // namespace
}  // namespace tessera::app
