#include "app/hints.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/common_options.hpp"
#include "app/config/load.hpp"

namespace tessera::app {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

TEST(HintsTest, WordsAreQuotedWhereAShellWouldNotTakeThemAsTheyAre) {
    EXPECT_EQ(shell_word("/var/lib/tessera"), "/var/lib/tessera");
    EXPECT_EQ(shell_word(""), "''");
    EXPECT_EQ(shell_word("a b"), "'a b'");
    EXPECT_EQ(shell_word("it's"), R"('it'\''s')");
    EXPECT_EQ(shell_word("$HOME;x"), "'$HOME;x'");
}

TEST(HintsTest, OptionsAreCarriedAsTheyWereTyped) {
    CommonOptions options;
    options.config_file = "my.toml";
    options.sets = {"blobs.url=file:b", "server.threads=3"};
    options.shorthands = {{"data.dir", "d", "--data-dir"}};
    EXPECT_THAT(admin_command(options), EndsWith(" admin --config my.toml --set blobs.url=file:b --data-dir d"));
}

TEST(HintsTest, FromAnywhereTheFolderIsNamedUnlessTheFileNamesIt) {
    CommonOptions options;
    options.config_file = "/etc/my.toml";
    LoadedConfig loaded;
    loaded.config.data.dir = "/data";
    EXPECT_THAT(admin_command_from_anywhere(options, loaded),
                EndsWith(" admin --config /etc/my.toml --data-dir /data"));
    loaded.origins["data.dir"] = "/etc/my.toml:3";
    EXPECT_THAT(admin_command_from_anywhere(options, loaded), EndsWith(" admin --config /etc/my.toml"));
}

TEST(HintsTest, APasswordIsNotRepeated) {
    CommonOptions options;
    options.sets = {"metadata.url=postgresql://u:hunter2@h/d", "blobs.secret_access_key=hunter2"};
    EXPECT_THAT(admin_command(options), Not(HasSubstr("hunter2")));
    options.sets = {"metadata.url=postgresql://u@h/d"};
    EXPECT_THAT(admin_command(options), EndsWith("--set metadata.url=postgresql://u@h/d"));
}

}  // namespace
}  // namespace tessera::app
