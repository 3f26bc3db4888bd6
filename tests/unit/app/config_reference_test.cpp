#include <gtest/gtest.h>

#include "app/config/print.hpp"
#include "support/temporary_folder.hpp"

namespace tessera::app {
namespace {

TEST(ConfigReferenceTest, ThePageInDocsIsUpToDate) {
    EXPECT_EQ(test::content_of(std::filesystem::path(TESSERA_SOURCE_DIR) / "docs" / "configuration.md"),
              config_reference())
        << "make it anew: build/release/tessera config reference > docs/configuration.md";
}

}  // namespace
}  // namespace tessera::app
