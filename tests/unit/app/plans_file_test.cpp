#include "app/plans_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tessera::app {
namespace {

using testing::AllOf;
using testing::HasSubstr;

constexpr const char* good = R"([[plan]]
code = "p"
display_name = "P"
is_public = true
billing_amount_minor = 100
included_processing_credits = 5
[plan.limits]
max_upload_bytes = "20MiB"
retention_ttl_seconds = "7d"
max_in_flight_jobs = 3
)";

std::string replaced(std::string text, const std::string& what, const std::string& by) {
    return text.replace(text.find(what), what.size(), by);
}

TEST(PlansFileTest, BuiltInPlansAreThoseOfTheDesign) {
    const std::vector<Plan> plans = built_in_plans();
    ASSERT_EQ(plans.size(), 3u);
    EXPECT_EQ(plans[0].code, "starter");
    EXPECT_TRUE(plans[0].is_public);
    EXPECT_EQ(plans[0].limits.max_upload_bytes, 20 * 1024 * 1024);
    EXPECT_EQ(plans[1].code, "pro");
    EXPECT_TRUE(plans[1].is_public);
    EXPECT_EQ(plans[1].limits.max_upload_bytes, 50 * 1024 * 1024);
    EXPECT_EQ(plans[2].code, "unlimited");
    EXPECT_FALSE(plans[2].is_public);
    for (const PlanLimitField& field : plan_limit_fields()) {
        if (field.name == "max_storage_bytes" || field.name == "max_assets") continue;  // not the interface's
        EXPECT_TRUE((plans[0].limits.*field.member).has_value()) << field.name;
        EXPECT_TRUE((plans[1].limits.*field.member).has_value()) << field.name;
        EXPECT_GE(plans[1].limits.*field.member, plans[0].limits.*field.member) << field.name;
    }
}

TEST(PlansFileTest, ReadsAllFields) {
    const auto plans = parse_plans(good, "f");
    ASSERT_TRUE(plans.ok()) << plans.error().message;
    const Plan& plan = plans->front();
    EXPECT_EQ(plan.code, "p");
    EXPECT_EQ(plan.status, "active");
    EXPECT_EQ(plan.billing_interval, "monthly");
    EXPECT_EQ(plan.included_processing_credits, 5);
    EXPECT_EQ(plan.limits.max_upload_bytes, 20 << 20);
    EXPECT_EQ(plan.limits.retention_ttl_seconds, 7 * 86400);
    EXPECT_EQ(plan.limits.max_in_flight_jobs, 3);
    EXPECT_FALSE(plan.limits.max_input_megapixels.has_value());
}

struct BadFile {
    std::string text;
    std::string named;
};

TEST(PlansFileTest, EveryMistakeIsNamed) {
    const std::vector<BadFile> bad = {
        {"", "no [[plan]]"},
        {"x = 1", "unknown key x"},
        {"plan = 3", "no [[plan]]"},
        {"[[plan]", "not TOML"},
        {replaced(good, "code = \"p\"\n", ""), "lacks code"},
        {replaced(good, "\"p\"", "\"Has Blanks\""), "code must be"},
        {replaced(good, "\"p\"", "7"), "code must be"},
        {replaced(good, "display_name = \"P\"\n", ""), "lacks display_name"},
        {replaced(good, "is_public = true", "is_public = \"yes\""), "is_public must be true or false"},
        {replaced(good, "= 100", "= -1"), "billing_amount_minor must be"},
        {replaced(good, "= 5\n", "= 1.5\n"), "included_processing_credits must be"},
        {replaced(good, "included_processing_credits", "included_credits"), "lacks included_processing_credits"},
        {replaced(good, "\"20MiB\"", "\"20 bananas\""), "such as \"20MiB\", or a whole number of bytes"},
        {replaced(good, "\"7d\"", "0"), "retention_ttl_seconds must be"},
        {replaced(good, "= 3\n", "= \"3\"\n"), "max_in_flight_jobs must be"},
        {replaced(good, "max_in_flight_jobs", "max_inflight_jobs"), "did you mean max_in_flight_jobs?"},
        {std::string(good) + good, "twice"},
    };
    for (const BadFile& file : bad) {
        const auto plans = parse_plans(file.text, "plans-x");
        ASSERT_FALSE(plans.ok()) << file.text;
        EXPECT_THAT(plans.error().message, AllOf(HasSubstr("plans-x"), HasSubstr(file.named)));
    }
}

TEST(PlansFileTest, EveryMistakeIsNamedWithItsOwnLine) {
    const std::string two = replaced(std::string(good) + "\n" + replaced(good, "\"p\"", "\"q\""), "\"7d\"", "\"soon\"");
    EXPECT_EQ(parse_plans(two, "f").error().message,
              "f:9: the plan p, limits: retention_ttl_seconds must be a time of 1 second or more, such as \"90s\", "
              "\"15m\", \"1h\" or \"7d\", or a whole number of seconds");
    const std::vector<BadFile> bad = {
        {replaced(good, "\"p\"", "7"), "f:2: the plan: code must be a text in quotes"},
        {replaced(good, "code = \"p\"\n", ""), "f:1: the plan: lacks code"},
        {replaced(good, "is_public = true", "is_publik = true"), "f:4: the plan p: has the unknown key is_publik"},
        {replaced(good, "= 3\n", "= \"3\"\n"), "f:10: the plan p, limits: max_in_flight_jobs must be a whole number"},
        {std::string("\n\n") + good + "x = 1\n", "f:13: the plan p, limits: has the unknown key x"},
        {std::string("\nx = 1\n") + good, "f:2: unknown key x"},
        {std::string(good) + "\n\n" + good, "f:13: the plan p is there twice"},
        {"\na = = 1\n", "f:2: not TOML"},
    };
    for (const BadFile& file : bad) {
        EXPECT_THAT(parse_plans(file.text, "f").error().message, testing::StartsWith(file.named));
    }
}

TEST(PlansFileTest, AllMistakesOfAPlanAreToldInTheOrderOfTheirLines) {
    const std::string text = replaced(replaced(good, "= 100", "= -1"), "\"7d\"", "\"1 hour\"");
    EXPECT_THAT(parse_plans(text, "f").error().message,
                testing::MatchesRegex("f:5: the plan p: billing_amount_minor must be[^\n]*\nf:9: [^\n]*1h[^\n]*"));
}

TEST(PlansFileTest, AMissingFileIsNamed) {
    EXPECT_THAT(read_plans_file("/nowhere/plans.toml").error().message, HasSubstr("/nowhere/plans.toml"));
}

}  // namespace
}  // namespace tessera::app
