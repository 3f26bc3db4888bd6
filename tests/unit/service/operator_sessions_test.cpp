// Signing in over a real database: passwords, limits, and who is let in when others guess.
#include "service/operators/operator_sessions.hpp"

#include <filesystem>
#include <future>

#include <gtest/gtest.h>

#include "metadata/operators.hpp"
#include "metadata/store.hpp"
#include "service/access/in_process_rate_limiter.hpp"
#include "service/operators/password_hash.hpp"

namespace tessera::service {
namespace {

constexpr ScryptCost cheap{4, 8, 1};

class Folder {
  public:
    Folder() {
        std::string name = (std::filesystem::temp_directory_path() / "tessera-operators-XXXXXX").string();
        path_ = ::mkdtemp(name.data());
    }
    ~Folder() { std::filesystem::remove_all(path_); }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    [[nodiscard]] std::string file(const char* name) const { return (path_ / name).string(); }

  private:
    std::filesystem::path path_;
};

class OperatorSessionsTest : public testing::Test {
  protected:
    OperatorSessionsTest() {
        const auto made = store->operators().create("anna", hash_password("correct horse", cheap));
        if (!made) throw std::runtime_error(made.error().detail);
    }

    Result<std::optional<SignedIn>> attempt(std::uint8_t address, const std::string& password = "correct horse",
                                            const std::string& name = "anna") {
        std::promise<Result<std::optional<SignedIn>>> promise;
        service.sign_in({.name = name,
                         .password = password,
                         .address = "192.0.2." + std::to_string(address),
                         .user_agent = "a\nbrowser",
                         .client = RateSubject::ipv4({192, 0, 2, address})},
                        [&](auto answer) { promise.set_value(std::move(answer)); });
        return promise.get_future().get();
    }

    Folder folder;
    ManualClock clock{from_unix_millis(1'800'000'000'000)};
    std::unique_ptr<metadata::Store> store = std::move(metadata::open_sqlite(folder.file("db"), clock)).value();
    InProcessRateLimiter limiter{[] {
        RateLimitsConfig limits;
        limits.operator_sign_ins = 3;
        limits.operator_names = 4;
        return limits;
    }()};
    OperatorSessionService service{store->operators(), limiter, {}};
};

}  // namespace

TEST(PasswordHash, HoldsItsParametersAndMatchesThePasswordAlone) {
    const std::string hash = hash_password("correct horse", cheap);
    EXPECT_TRUE(hash.starts_with("scrypt$4$8$1$"));
    EXPECT_NE(hash, hash_password("correct horse", cheap)) << "each has a salt of its own";
    EXPECT_TRUE(password_matches("correct horse", hash));
    EXPECT_FALSE(password_matches("correct horse ", hash));
    EXPECT_FALSE(password_matches("", hash));
    EXPECT_TRUE(nobodys_hash().starts_with("scrypt$15$8$3$"));
    for (const char* broken : {"", "scrypt", "bcrypt$4$8$1$00$00", "scrypt$99$8$1$00$00", "scrypt$4$8$1$xx$00"})
        EXPECT_FALSE(password_matches("", broken)) << broken;
}

TEST(PasswordHash, ANewPasswordHasALength) {
    EXPECT_FALSE(check_password("password", "short"));
    EXPECT_TRUE(check_password("password", "long enough to do"));
    EXPECT_FALSE(check_password("password", std::string(1'025, 'x')));
}

TEST_F(OperatorSessionsTest, ATokenIsGoodUntilItsSessionEnds) {
    const auto done = attempt(1);
    ASSERT_TRUE(done && *done);
    EXPECT_EQ((*done)->session.user_agent, "a?browser");
    const auto found = service.find((*done)->token);
    ASSERT_TRUE(found && *found);
    EXPECT_EQ((*found)->operator_name, "anna");
    EXPECT_FALSE(*service.find((*done)->token + "x"));
    EXPECT_FALSE(*service.find(std::string(43, 'x')));
    EXPECT_EQ(service.list(**found)->size(), 1u);
    ASSERT_TRUE(*service.end(**found, (*found)->id));
    EXPECT_FALSE(*service.find((*done)->token));
}

TEST_F(OperatorSessionsTest, UnknownNamesAndWrongPasswordsAreTheSame) {
    EXPECT_FALSE(*attempt(1, "wrong"));
    EXPECT_FALSE(*attempt(1, "correct horse", "bert"));
    EXPECT_FALSE(*attempt(1, "correct horse", "not a name\n"));
}

TEST_F(OperatorSessionsTest, AnAddressHasSoManyTries) {
    for (int i = 0; i < 3; ++i) EXPECT_FALSE(*attempt(1, "wrong"));
    const auto fourth = attempt(1);
    ASSERT_FALSE(fourth);
    EXPECT_EQ(fourth.error().code, ErrorCode::rate_limited);
    EXPECT_TRUE(fourth.error().retry_after_s);
}

TEST_F(OperatorSessionsTest, ANameThatIsGuessedAtLeavesEachAddressOneTry) {
    for (std::uint8_t address = 1; address <= 6; ++address) EXPECT_FALSE(*attempt(address, "wrong"));
    EXPECT_EQ(attempt(6, "wrong").error().code, ErrorCode::rate_limited) << "its second";
    const auto owner = attempt(100);
    ASSERT_TRUE(owner && *owner) << "nobody can lock her out";
}

TEST_F(OperatorSessionsTest, WhoComesWhenItStopsIsRefused) {
    service.stop();
    EXPECT_EQ(attempt(1).error().code, ErrorCode::overloaded);
}

}  // namespace tessera::service
