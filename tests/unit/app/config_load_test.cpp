#include "app/config/load.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/config/print.hpp"
#include "app/config/setting.hpp"
#include "support/temporary_folder.hpp"

namespace tessera::app {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

LoadedConfig load_sets(std::vector<Assignment> assignments) {
    return load_config({.file = {}, .environment = {}, .assignments = std::move(assignments)});
}

TEST(ConfigTest, WithoutAnySourceTheDefaultsHold) {
    const LoadedConfig loaded = load_config({});
    EXPECT_THAT(loaded.problems, IsEmpty());
    EXPECT_THAT(loaded.origins, IsEmpty());
    EXPECT_THAT(loaded.config.server.listen, ElementsAre("127.0.0.1:8080"));
    EXPECT_EQ(loaded.config.rate_limits.job_submissions, 60);
}

TEST(ConfigTest, TheCommandLineBeatsTheEnvironmentWhichBeatsTheFile) {
    const test::TemporaryFolder scratch;
    const auto file = scratch.write("t.toml", "[rate_limits]\nplans = 1\naccount = 1\nuploads = 1\n");
    const LoadedConfig loaded = load_config({.file = file,
                                             .environment = {{"TESSERA_RATE_LIMITS__ACCOUNT", "2"},
                                                             {"TESSERA_RATE_LIMITS__UPLOADS", "2"},
                                                             {"PATH", "/bin"}},
                                             .assignments = {{"rate_limits.uploads", "3", "--set"}}});
    EXPECT_THAT(loaded.problems, IsEmpty());
    EXPECT_EQ(loaded.config.rate_limits.plans, 1);
    EXPECT_EQ(loaded.config.rate_limits.account, 2);
    EXPECT_EQ(loaded.config.rate_limits.uploads, 3);
    EXPECT_EQ(loaded.origins.at("rate_limits.plans"), file.string() + ":2");
    EXPECT_EQ(loaded.origins.at("rate_limits.account"), "environment TESSERA_RATE_LIMITS__ACCOUNT");
    EXPECT_EQ(loaded.origins.at("rate_limits.uploads"), "--set");
}

TEST(ConfigTest, TheLastOfSeveralAssignmentsWins) {
    EXPECT_EQ(load_sets({{"log.level", "debug", "--set"}, {"log.level", "error", "--set"}}).config.log.level, "error");
}

TEST(ConfigTest, AFileGivesNumbersFlagsTextsAndLists) {
    const test::TemporaryFolder scratch;
    const auto file = scratch.write("t.toml", R"(
rate_limits.enabled = false
[server]
listen = ["0.0.0.0:1", "[::1]:2"]
threads = 3
idle_timeout = "1m"
max_head_bytes = "32KiB"
trusted_proxies = []
)");
    const LoadedConfig loaded = load_config({.file = file});
    EXPECT_THAT(loaded.problems, IsEmpty());
    EXPECT_FALSE(loaded.config.rate_limits.enabled);
    EXPECT_THAT(loaded.config.server.listen, ElementsAre("0.0.0.0:1", "[::1]:2"));
    EXPECT_EQ(loaded.config.server.threads, 3u);
    EXPECT_EQ(loaded.config.server.idle_timeout, std::chrono::minutes(1));
    EXPECT_EQ(loaded.config.server.max_head_bytes, 32u * 1024);
}

TEST(ConfigTest, AnUnknownKeyIsRefusedWithTheOneThatWasMeant) {
    EXPECT_THAT(load_sets({{"rate_limit.enabled", "false", "--set"}}).problems,
                ElementsAre(AllOf(HasSubstr("--set"), HasSubstr("rate_limit.enabled"),
                                  HasSubstr("did you mean rate_limits.enabled?"))));
    EXPECT_THAT(load_config({.environment = {{"TESSERA_LOG__LEVLE", "debug"}}}).problems,
                ElementsAre(AllOf(HasSubstr("TESSERA_LOG__LEVLE"), HasSubstr("did you mean TESSERA_LOG__LEVEL?"))));
    const test::TemporaryFolder scratch;
    const auto file = scratch.write("t.toml", "\n[server]\nlisten_on = '127.0.0.1:1'\n");
    EXPECT_THAT(load_config({.file = file}).problems,
                ElementsAre(AllOf(HasSubstr(":3: "), HasSubstr("server.listen_on"))));
}

TEST(ConfigTest, VariablesWithoutASectionAreNotOurs) {
    EXPECT_THAT(
        load_config({.environment = {{"TESSERA_CONFIG", "x"}, {"TESSERA_ANYTHING", "y"}, {"TESSERA", "z"}}}).problems,
        IsEmpty());
}

TEST(ConfigTest, AllProblemsAreReportedAtOnce) {
    EXPECT_THAT(
        load_sets({{"log.level", "loud", "--set"}, {"nope.nope", "1", "--set"}, {"server.threads", "-1", "--set"}})
            .problems,
        SizeIs(3));
}

TEST(ConfigTest, AFileThatIsMissingOrIsNoTomlIsNamed) {
    EXPECT_THAT(load_config({.file = "/nowhere/t.toml"}).problems,
                ElementsAre(AllOf(HasSubstr("/nowhere/t.toml"), HasSubstr("No such file"))));
    const test::TemporaryFolder scratch;
    EXPECT_THAT(load_config({.file = scratch.write("t.toml", "a = 1\n[server\n")}).problems,
                ElementsAre(HasSubstr("t.toml:2: not TOML")));
    EXPECT_THAT(load_config({.file = scratch.write("u.toml", "[server]\nthreads = 1.5\n")}).problems,
                ElementsAre(HasSubstr("server.threads")));
    EXPECT_THAT(load_config({.file = scratch.write("v.toml", "[server]\nlisten = [{a = 1}]\n")}).problems,
                ElementsAre(HasSubstr("server.listen")));
    EXPECT_THAT(load_config({.file = scratch.write("w.toml", "[log]\nlevel = ['debug']\n")}).problems,
                ElementsAre(HasSubstr("log.level")));
}

// Values that are wrong for every kind of setting: none may be taken, and each complaint names key and expectation.
class EverySetting : public testing::TestWithParam<std::size_t> {
  protected:
    const Setting& setting() const { return all_settings()[GetParam()]; }
};

TEST_P(EverySetting, RefusesWhatItCannotReadAndSaysWhatItTakes) {
    const std::string name(setting().name());
    const std::string& expected = setting().expected();
    std::vector<std::string> wrong;
    if (expected.starts_with("a whole number"))
        wrong = {"", "-1", "1.5", "abc", "1 ", "99999999999999999999", "0x1", "1MiB", "true"};
    if (expected.starts_with("a size")) wrong = {"", "-1", "abc", "1.5", "1XB", "99999999TiB", "true"};
    if (expected.starts_with("a time")) wrong = {"", "-1s", "abc", "10", "1y", "1.5ms", "999999d", "true"};
    if (expected.starts_with("a number")) wrong = {"", "-0.1", "1.01", "abc", "nan", "0.5 ", "1e9", "inf", "true"};
    if (expected.starts_with("true")) wrong = {"", "1", "0", "yes", "TRUE", "no"};
    if (expected.starts_with("one of")) wrong = {"", "INFO", "loud", "1"};
    if (expected.starts_with("a list")) wrong = {",", "!", "a b,", "127.0.0.1:1,", "x://y"};
    if (expected.starts_with("an address")) wrong = {"example.org", "ftp://x", "https://x/y"};
    for (const std::string& value : wrong) {
        const LoadedConfig loaded = load_sets({{name, value, "--set"}});
        ASSERT_THAT(loaded.problems, SizeIs(1)) << name << " took \"" << value << '"';
        EXPECT_THAT(loaded.problems[0], AllOf(HasSubstr(name), HasSubstr(expected)));
        if (setting().secrecy() == Secrecy::open) {
            EXPECT_THAT(loaded.problems[0], HasSubstr(value));
        }
        EXPECT_EQ(setting().value_in(loaded.config), setting().value_in(Config{}));
    }
}

TEST_P(EverySetting, TakesItsOwnDefaultBackFromEverySource) {
    const std::string value = setting().value_in(Config{});
    EXPECT_THAT(load_sets({{std::string(setting().name()), value, "--set"}}).problems, IsEmpty())
        << setting().name() << " = " << value;
    const LoadedConfig loaded = load_config({.environment = {{setting().environment_name(), value}}});
    EXPECT_THAT(loaded.problems, IsEmpty());
    EXPECT_EQ(setting().value_in(loaded.config), value);
    EXPECT_THAT(loaded.origins, SizeIs(1));
}

TEST_P(EverySetting, HasASectionWithANoteAndADescription) {
    bool found = false;
    for (const SectionNote& section : all_sections()) found = found || section.name == setting().section();
    EXPECT_TRUE(found) << setting().section();
    EXPECT_FALSE(setting().description().empty());
    EXPECT_EQ(find_setting(setting().name()), &setting()) << "the name is there twice";
}

INSTANTIATE_TEST_SUITE_P(All, EverySetting, testing::Range(std::size_t{0}, all_settings().size()),
                         [](const auto& each) {
                             std::string name(all_settings()[each.param].name());
                             std::replace(name.begin(), name.end(), '.', '_');
                             return name;
                         });

TEST(ConfigPrintTest, ShowsValuesAndOriginsAndHidesPasswords) {
    const LoadedConfig loaded = load_sets({{"metadata.url", "postgresql://tess:hunter2@db/x?password=hunter3", "--set"},
                                           {"blobs.url", "s3://b?secret_access_key=hunter4&region=x", "--set"}});
    ASSERT_THAT(loaded.problems, IsEmpty());
    for (const std::string& text : {config_as_text(loaded), config_as_json(loaded)}) {
        EXPECT_THAT(text, Not(HasSubstr("hunter")));
        EXPECT_THAT(text, HasSubstr("postgresql://tess:***@db/x?password=***"));
        EXPECT_THAT(text, HasSubstr("&region=x"));
        EXPECT_THAT(text, HasSubstr("--set"));
        EXPECT_THAT(text, HasSubstr("default"));
    }
}

TEST(ConfigPrintTest, AValueThatIsRaisedSaysSo) {
    const LoadedConfig given = load_sets({{"retention.keep_old_versions", "5m", "--set"}});
    EXPECT_EQ(given.config.retention.keep_old_versions, std::chrono::hours(1));
    EXPECT_THAT(given.raised, ElementsAre(HasSubstr("retention.keep_old_versions is 1h and not 5m")));
    EXPECT_THAT(config_as_text(given), HasSubstr("# --set, raised from 5m: not less than signing.tile_url_ttl"));

    const LoadedConfig left_alone = load_sets({{"signing.tile_url_ttl", "3h", "--set"}});
    EXPECT_THAT(config_as_text(left_alone), HasSubstr("# default, raised from 2h: not less than signing.tile_url_ttl"));
    EXPECT_THAT(load_sets({{"retention.keep_old_versions", "1h", "--set"}}).raised, IsEmpty());
}

TEST(ConfigPrintTest, WhatIsPrintedCanBeUsedAsAFile) {
    const test::TemporaryFolder scratch;
    const LoadedConfig loaded =
        load_sets({{"server.listen", "0.0.0.0:1,[::]:2", "--set"}, {"server.idle_timeout", "90s", "--set"}});
    const LoadedConfig again = load_config({.file = scratch.write("printed.toml", config_as_text(loaded))});
    EXPECT_THAT(again.problems, IsEmpty());
    for (const Setting& setting : all_settings()) {
        const RawValue whole = setting.from_file_in(std::filesystem::current_path(), setting.value_in(loaded.config));
        EXPECT_EQ(RawValue(setting.value_in(again.config)), whole);
    }
}

TEST(ConfigPrintTest, ABadSecretIsNotRepeatedInTheComplaint) {
    EXPECT_THAT(load_sets({{"metadata.url", "mysql://u:hunter2@x", "--set"}}).problems,
                ElementsAre(AllOf(HasSubstr("metadata.url"), Not(HasSubstr("hunter2")))));
}

}  // namespace
}  // namespace tessera::app
