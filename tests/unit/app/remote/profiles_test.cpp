#include "app/remote/profiles.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/remote/address.hpp"
#include "support/temporary_folder.hpp"

namespace tessera::remote {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class ProfilesTest : public testing::Test {
  protected:
    fs::path file() const { return folder_.path() / "config" / "tessera" / "remote.json"; }
    test::TemporaryFolder folder_;
};

TEST_F(ProfilesTest, AreKeptForTheirUserAlone) {
    auto profiles = Profiles::load(file());
    ASSERT_TRUE(profiles) << "there is none yet";
    profiles->set("default", {"https://a.example", "tsr_1"});
    profiles->set("studio", {"https://b.example", "tsr_2"});
    ASSERT_TRUE(profiles->save());
    EXPECT_EQ(fs::status(file()).permissions() & fs::perms::all, fs::perms(0600));
    EXPECT_EQ(fs::status(file().parent_path()).permissions() & fs::perms::all, fs::perms(0700));
    auto again = Profiles::load(file());
    ASSERT_TRUE(again);
    EXPECT_EQ(again->find("studio")->key, "tsr_2");
    EXPECT_EQ(again->find("other"), nullptr);
    EXPECT_TRUE(again->remove("studio"));
    EXPECT_FALSE(again->remove("studio"));
    ASSERT_TRUE(again->save());
    EXPECT_EQ(Profiles::load(file())->all().size(), 1U);
}

TEST_F(ProfilesTest, WhatOthersCanReadIsRefused) {
    Profiles profiles = *Profiles::load(file());
    profiles.set("default", {"https://a.example", "tsr_1"});
    ASSERT_TRUE(profiles.save());
    fs::permissions(file(), fs::perms(0640));
    EXPECT_THAT(Profiles::load(file()).error().message, HasSubstr("chmod 600"));
    fs::permissions(file(), fs::perms(0600));
    fs::permissions(file().parent_path(), fs::perms(0755));
    EXPECT_THAT(Profiles::load(file()).error().message, HasSubstr("chmod 700"));
    EXPECT_FALSE(profiles.save());
}

std::string address(std::string_view text) {
    const auto parsed = Address::parse(text);
    return parsed ? parsed->text() : "refused";
}

TEST(AddressTest, HasOneSpelling) {
    EXPECT_EQ(address("https://Images.Example.com/"), "https://images.example.com");
    EXPECT_EQ(address("images.example.com/tessera/"), "https://images.example.com/tessera");
    EXPECT_EQ(address("localhost:8080"), "http://localhost:8080");
    EXPECT_EQ(address("127.0.0.1:8080"), "http://127.0.0.1:8080");
    EXPECT_EQ(address("http://[::1]:8080"), "http://[::1]:8080");
}

TEST(AddressTest, RefusesWhatNobodyMeant) {
    for (const char* text : {"", "ftp://a.example", "https://", "https://me:secret@a.example",
                             "https://a.example?key=1", "https://a example", "file:///etc/passwd"})
        EXPECT_EQ(address(text), "refused") << text;
    EXPECT_THAT(Address::parse("https://me:secret@a.example").error().message, testing::Not(HasSubstr("secret")));
}

TEST(AddressTest, KnowsWhereOthersCanListen) {
    EXPECT_TRUE(Address::parse("http://a.example")->is_open_to_listeners());
    EXPECT_FALSE(Address::parse("https://a.example")->is_open_to_listeners());
    EXPECT_FALSE(Address::parse("http://127.0.0.1:8080")->is_open_to_listeners());
}

}  // namespace
}  // namespace tessera::remote
