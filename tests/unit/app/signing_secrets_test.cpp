#include "app/signing_secrets.hpp"
#include "support/temporary_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <thread>

namespace tessera::app {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class SigningSecretsTest : public testing::Test {
  protected:
    test::TemporaryFolder scratch_;
    std::filesystem::path file_ = scratch_.path() / "signing-secrets";
    Timestamp now_ = from_unix_millis(1'800'000'000'000);
};

TEST_F(SigningSecretsTest, TheFirstStartMakesOneThatOnlyItsOwnerMayRead) {
    const auto secrets = read_or_make_secrets(file_, now_);
    ASSERT_TRUE(secrets.ok());
    ASSERT_EQ(secrets->size(), 1u);
    EXPECT_GE(secrets->front().secret.size(), 43u) << "at least 256 bits";
    struct stat status {};
    ASSERT_EQ(stat(file_.c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777, 0600u);
    EXPECT_EQ(*read_or_make_secrets(file_, now_ + 1h), *secrets) << "later starts keep it";
}

TEST_F(SigningSecretsTest, RacingFirstStartsMakeOneSecret) {
    std::vector<std::vector<SigningSecret>> seen(16);
    std::vector<std::thread> threads;
    for (auto& mine : seen) threads.emplace_back([&] { mine = read_or_make_secrets(file_, now_).value(); });
    for (std::thread& thread : threads) thread.join();
    for (const auto& mine : seen) EXPECT_EQ(mine, seen.front());
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(scratch_.path()), {}), 1) << "no drafts are left";
}

TEST_F(SigningSecretsTest, AModeThatLetsOthersReadIsRefused) {
    ASSERT_TRUE(read_or_make_secrets(file_, now_).ok());
    for (const mode_t mode : {0640U, 0604U, 0660U, 0644U}) {
        chmod(file_.c_str(), mode);
        const auto secrets = read_or_make_secrets(file_, now_);
        ASSERT_FALSE(secrets.ok());
        EXPECT_THAT(secrets.error().message, AllOf(HasSubstr("chmod 600"), HasSubstr(file_.string())));
    }
}

TEST_F(SigningSecretsTest, ADamagedFileIsRefusedWithoutRepeatingIt) {
    for (const char* content : {"", "# only a comment\n", "hunter2hunter2hunter2hunter2hunter2\n",
                                "2026-01-01T00:00:00.000Z short\n", "yesterday hunter2hunter2hunter2hunter2hunter2\n",
                                "2026-01-01T00:00:00.000Z hunter2hunter2hunter2 hunter2hunter2\n"}) {
        scratch_.write("signing-secrets", content);
        chmod(file_.c_str(), 0600);
        const auto secrets = read_or_make_secrets(file_, now_);
        ASSERT_FALSE(secrets.ok()) << content;
        EXPECT_THAT(secrets.error().message, AllOf(HasSubstr(file_.string()), Not(HasSubstr("hunter2"))));
    }
}

TEST_F(SigningSecretsTest, RotationKeepsTheOldSecretsAndSignsOnceAllNodesKnowTheNew) {
    const SigningSecret first = read_or_make_secrets(file_, now_)->front();
    const Timestamp rotated_at = now_ + 24h;
    const auto secrets = rotate_secrets(file_, 3, rotated_at);
    ASSERT_TRUE(secrets.ok());
    ASSERT_EQ(secrets->size(), 2u);
    const SigningSecret second = secrets->front();
    EXPECT_NE(second.secret, first.secret);
    EXPECT_EQ(in_order_of_use(*secrets, rotated_at).front(), first);
    EXPECT_EQ(in_order_of_use(*secrets, rotated_at + settling_time - 1ms).front(), first);
    EXPECT_EQ(in_order_of_use(*secrets, rotated_at + settling_time).front(), second);
    EXPECT_EQ(in_order_of_use(*secrets, rotated_at).size(), 2u) << "all of them verify";
}

TEST_F(SigningSecretsTest, ALoneSecretSignsAtOnce) {
    const auto secrets = read_or_make_secrets(file_, now_);
    EXPECT_EQ(in_order_of_use(*secrets, now_).front(), secrets->front());
    const auto only = rotate_secrets(file_, 1, now_ + 1s);
    ASSERT_EQ(only->size(), 1u);
    EXPECT_NE(only->front(), secrets->front());
    EXPECT_EQ(in_order_of_use(*only, now_ + 1s).front(), only->front());
}

TEST_F(SigningSecretsTest, OnlyTheNewestAreKept) {
    for (int i = 0; i < 5; ++i) ASSERT_TRUE(rotate_secrets(file_, 3, now_ + std::chrono::hours(i)).ok());
    const auto secrets = read_secrets(file_);
    ASSERT_EQ(secrets->size(), 3u);
    EXPECT_GT((*secrets)[0].created_at, (*secrets)[1].created_at);
    EXPECT_GT((*secrets)[1].created_at, (*secrets)[2].created_at);
}

TEST_F(SigningSecretsTest, AClockThatWasSetBackDoesNotHideTheNewSecret) {
    const SigningSecret first = read_or_make_secrets(file_, now_)->front();
    const auto secrets = rotate_secrets(file_, 3, now_ - 24h);
    EXPECT_NE(secrets->front(), first);
    EXPECT_EQ(*read_secrets(file_), *secrets);
}

TEST_F(SigningSecretsTest, RacingRotationsLoseNone) {
    ASSERT_TRUE(read_or_make_secrets(file_, now_).ok());
    std::vector<std::thread> threads;
    for (int i = 0; i < 8; ++i) threads.emplace_back([&] { EXPECT_TRUE(rotate_secrets(file_, 100, now_).ok()); });
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(read_secrets(file_)->size(), 9u);
}

TEST_F(SigningSecretsTest, FingerprintsTellSecretsApartAndGiveNothingAway) {
    const auto secrets = rotate_secrets(file_, 3, now_);
    EXPECT_NE((*secrets)[0].fingerprint(), (*secrets)[1].fingerprint());
    EXPECT_THAT((*secrets)[0].secret, Not(HasSubstr((*secrets)[0].fingerprint())));
}

}  // namespace
}  // namespace tessera::app
