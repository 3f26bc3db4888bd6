// docs/operations.md shows the option tables as they are. UPDATE_DOCS=1 writes them there.
#include <gmock/gmock.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "docs_page.hpp"

namespace tessera::operations {
namespace {

std::string read(const std::string& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
}

TEST(OperationsPage, ShowsEveryOptionTableAsItIs) {
    const std::string path = TESSERA_SOURCE_DIR "/docs/operations.md";
    const Registry registry = Registry::built_in();
    const std::string page = read(path);
    EXPECT_THAT(operations_missing_in(page, registry), testing::IsEmpty())
        << "docs/operations.md has no place for them";
    const std::string as_it_is = with_option_tables(page, registry);
    if (std::getenv("UPDATE_DOCS") != nullptr) {
        std::ofstream(path) << as_it_is;
    } else {
        EXPECT_EQ(page, as_it_is) << "run unit_operations with UPDATE_DOCS=1";
    }
}

}  // namespace
}  // namespace tessera::operations
