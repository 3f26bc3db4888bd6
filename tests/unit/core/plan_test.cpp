#include "core/plan.hpp"

#include <gtest/gtest.h>

#include <set>

#include "core/job.hpp"
#include "core/permission.hpp"

namespace tessera {
namespace {

TEST(PlanLimitFields, NameEveryMemberOnce) {
    EXPECT_EQ(sizeof(PlanLimits), plan_limit_fields().size() * sizeof(std::optional<std::int64_t>));
    std::set<std::string_view> names;
    PlanLimits limits;
    for (const PlanLimitField& field : plan_limit_fields()) {
        EXPECT_TRUE(names.insert(field.name).second) << field.name;
        EXPECT_FALSE(limits.*field.member) << "two names share a member: " << field.name;
        limits.*field.member = 1;
    }
}

TEST(Roles, GiveTheRuntimeRoleEverything) {
    const Role* runtime = find_role("runtime");
    ASSERT_NE(runtime, nullptr);
    EXPECT_TRUE(runtime->allows(Permission::jobs_write));
    EXPECT_FALSE(find_role("reader")->allows(Permission::jobs_write));
    EXPECT_EQ(find_role("nobody"), nullptr);
}

TEST(JobErrors, HaveNamesThatReadBack) {
    for (const JobErrorKind& kind : job_error_kinds()) {
        EXPECT_EQ(job_error_code_from_string(kind.name), kind.code);
        EXPECT_EQ(describe(kind.code).name, kind.name);
    }
    EXPECT_FALSE(job_error_code_from_string("nonsense"));
}

}  // namespace
}  // namespace tessera
