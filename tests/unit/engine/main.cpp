// This program is its own engine: pools in these tests start it again as `engine`.
#include <gtest/gtest.h>

#include <string_view>

#include "engine/child/child.hpp"

int main(int argc, char** argv) {
    if (argc == 2 && std::string_view(argv[1]) == "engine") return tessera::engine::child_main();
    testing::InitGoogleTest(&argc, argv);
    return RUN_ALL_TESTS();
}
