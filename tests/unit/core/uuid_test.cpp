#include "core/uuid.hpp"

#include <gtest/gtest.h>

#include <unordered_set>

namespace tessera {
namespace {

TEST(Uuid, ReadsBackWhatItWrites) {
    const Uuid id = Uuid::random();
    EXPECT_EQ(Uuid::parse(id.to_string()), id);
}

TEST(Uuid, AcceptsUpperCaseAndPrintsLowerCase) {
    const auto id = Uuid::parse("0123ABCD-89EF-4a5b-8c6d-FEDCBA987654");
    ASSERT_TRUE(id);
    EXPECT_EQ(id->to_string(), "0123abcd-89ef-4a5b-8c6d-fedcba987654");
}

TEST(Uuid, RefusesEveryOtherShape) {
    for (const char* text :
         {"", "0123abcd", "0123abcd-89ef-4a5b-8c6d-fedcba98765", "0123abcd-89ef-4a5b-8c6d-fedcba9876543",
          "0123abcd089ef-4a5b-8c6d-fedcba987654", "g123abcd-89ef-4a5b-8c6d-fedcba987654",
          "{123abcd-89ef-4a5b-8c6d-fedcba98765}", "0123abcd89ef4a5b8c6dfedcba987654"}) {
        EXPECT_FALSE(Uuid::parse(text)) << text;
    }
}

TEST(Uuid, MarksVersionAndVariant) {
    EXPECT_EQ(Uuid::random().to_string()[14], '4');
    EXPECT_EQ(Uuid::time_ordered().to_string()[14], '7');
    EXPECT_NE(std::string("89ab").find(Uuid::random().to_string()[19]), std::string::npos);
}

TEST(Uuid, KnowsWhenATimeOrderedOneWasMade) {
    const auto now = [] { return std::chrono::system_clock::now().time_since_epoch(); };
    const auto before = std::chrono::floor<std::chrono::milliseconds>(now());
    const auto made_at = Uuid::time_ordered().made_at();
    ASSERT_TRUE(made_at);
    EXPECT_GE(*made_at, before);
    EXPECT_LE(*made_at, now());
    EXPECT_FALSE(Uuid::random().made_at());
    EXPECT_FALSE(Uuid().made_at());
}

TEST(Uuid, DoesNotRepeat) {
    std::unordered_set<Uuid> seen;
    for (int i = 0; i < 10000; ++i) EXPECT_TRUE(seen.insert(Uuid::time_ordered()).second);
}

}  // namespace
}  // namespace tessera
