#include "service/delivery/signing.hpp"

#include <gtest/gtest.h>

#include <cctype>

namespace tessera::service {
namespace {

using namespace std::chrono_literals;

const Timestamp noon = *from_iso8601("2026-03-01T12:00:01Z");
const Uuid artifact = *Uuid::parse("0190aaaa-0000-7000-8000-000000000001");
const Uuid other = *Uuid::parse("0190aaaa-0000-7000-8000-000000000002");

Signer signer(std::vector<std::string> secrets = {"first secret"}) {
    return {secrets, {}};
}

TEST(Signing, AcceptsItsOwnSignatureUntilItExpires) {
    const Signer s = signer();
    const std::int64_t expires = s.artifact_expiry(noon, {});
    const std::string signature = s.sign_artifact(artifact, expires);
    EXPECT_EQ(signature.size(), Signer::signature_length);
    EXPECT_TRUE(s.verify_artifact(artifact, expires, signature, noon));
    const Timestamp end = from_unix_millis(expires * 1000);
    EXPECT_TRUE(s.verify_artifact(artifact, expires, signature, end - 1ms));
    EXPECT_FALSE(s.verify_artifact(artifact, expires, signature, end));
    EXPECT_FALSE(s.verify_artifact(artifact, expires, signature, end + 1h));
}

TEST(Signing, RefusesASignatureForAnythingElse) {
    const Signer s = signer();
    const std::int64_t expires = s.artifact_expiry(noon, {});
    const std::string signature = s.sign_artifact(artifact, expires);
    EXPECT_FALSE(s.verify_artifact(other, expires, signature, noon));
    EXPECT_FALSE(s.verify_artifact(artifact, expires + 1, signature, noon));
    EXPECT_FALSE(s.verify_tileset(artifact, 1, expires, signature, noon));
    const std::string tiles = s.sign_tileset(artifact, 1, expires);
    EXPECT_TRUE(s.verify_tileset(artifact, 1, expires, tiles, noon));
    EXPECT_FALSE(s.verify_tileset(artifact, 2, expires, tiles, noon));
    EXPECT_FALSE(s.verify_tileset(other, 1, expires, tiles, noon));
}

TEST(Signing, GrantsOfOneKindOfAddressFitNoOther) {
    const Signer s = signer();
    const std::int64_t expires = s.tile_expiry(noon, {});
    const std::string iiif = s.sign_pictures(PictureForm::iiif, artifact, 1, expires);
    EXPECT_TRUE(s.verify_pictures(PictureForm::iiif, artifact, 1, expires, iiif, noon));
    EXPECT_FALSE(s.verify_pictures(PictureForm::deep_zoom, artifact, 1, expires, iiif, noon));
    EXPECT_FALSE(s.verify_pictures(PictureForm::iiif, artifact, 2, expires, iiif, noon));
    EXPECT_FALSE(s.verify_pictures(PictureForm::iiif, other, 1, expires, iiif, noon));
    EXPECT_FALSE(s.verify_tileset(artifact, 1, expires, iiif, noon));
    EXPECT_FALSE(
        s.verify_pictures(PictureForm::iiif, artifact, 1, expires, s.sign_tileset(artifact, 1, expires), noon));

    const std::string of_asset = s.sign_asset_pictures(artifact, expires);
    EXPECT_TRUE(s.verify_asset_pictures(artifact, expires, of_asset, noon));
    EXPECT_FALSE(s.verify_asset_pictures(other, expires, of_asset, noon));
    EXPECT_FALSE(s.verify_asset_pictures(artifact, expires + 1, of_asset, noon));
    EXPECT_FALSE(s.verify_asset(artifact, expires, of_asset, noon)) << "the file itself is another thing";
    EXPECT_FALSE(s.verify_asset_pictures(artifact, expires, s.sign_asset(artifact, expires), noon));
}

TEST(Signing, RefusesEverySingleCharacterThatWasChanged) {
    const Signer s = signer();
    const std::int64_t expires = s.artifact_expiry(noon, {});
    const std::string signature = s.sign_artifact(artifact, expires);
    for (std::size_t i = 0; i < signature.size(); ++i) {
        std::string changed = signature;
        changed[i] = changed[i] == '0' ? '1' : '0';
        EXPECT_FALSE(s.verify_artifact(artifact, expires, changed, noon)) << i;
    }
}

TEST(Signing, RefusesAnotherSpellingOfARightSignature) {
    const Signer s = signer();
    const std::int64_t expires = s.artifact_expiry(noon, {});
    std::string upper = s.sign_artifact(artifact, expires);
    for (char& c : upper) c = static_cast<char>(std::toupper(c));
    EXPECT_FALSE(s.verify_artifact(artifact, expires, upper, noon));
    EXPECT_FALSE(s.verify_artifact(artifact, expires, "", noon));
    EXPECT_FALSE(s.verify_artifact(artifact, expires, s.sign_artifact(artifact, expires) + "0", noon));
}

TEST(Signing, TheFirstSecretSignsAndAllOfThemVerify) {
    const Signer before = signer({"old"});
    const Signer after = signer({"new", "old"});
    const Signer later = signer({"new"});
    const std::int64_t expires = before.artifact_expiry(noon, {});
    const std::string old_signature = before.sign_artifact(artifact, expires);
    const std::string new_signature = after.sign_artifact(artifact, expires);
    EXPECT_NE(old_signature, new_signature);
    EXPECT_TRUE(after.verify_artifact(artifact, expires, old_signature, noon));
    EXPECT_TRUE(after.verify_artifact(artifact, expires, new_signature, noon));
    EXPECT_TRUE(later.verify_artifact(artifact, expires, new_signature, noon));
    EXPECT_FALSE(later.verify_artifact(artifact, expires, old_signature, noon));
}

TEST(Signing, RepeatedReadsGiveTheSameExpiryAndItLiesWithinTheLifetime) {
    const Signer s = signer();
    const std::int64_t first = s.tile_expiry(noon, {});
    EXPECT_EQ(s.tile_expiry(noon + 1min, {}), first);
    EXPECT_EQ(s.tile_expiry(noon + 14min, {}), first);
    for (int second = 0; second < 7200; second += 7) {
        const Timestamp now = noon + std::chrono::seconds(second);
        const std::int64_t left = s.tile_expiry(now, {}) - to_unix_seconds(now);
        EXPECT_GT(left, 45 * 60);
        EXPECT_LE(left, 60 * 60);
    }
}

TEST(Signing, AnAddressNeverOutlivesWhatItNames) {
    const Signer s = signer();
    EXPECT_EQ(s.artifact_expiry(noon, noon + 1min), to_unix_seconds(noon + 1min));
    EXPECT_EQ(s.artifact_expiry(noon, noon + 100h), s.artifact_expiry(noon, {}));
}

TEST(Signing, ATinyLifetimeStillWorks) {
    const Signer s({"secret"}, {1s, 1s});
    EXPECT_EQ(s.artifact_expiry(noon, {}), to_unix_seconds(noon) + 1);
}

TEST(Signing, ReadsAnExpiryInItsOneSpellingOnly) {
    EXPECT_EQ(parse_expires("1772366400"), 1772366400);
    for (const char* wrong :
         {"", "0", "-1", "+1", "01", " 1", "1 ", "1.0", "1e9", "0x10", "abc", "99999999999999999999"}) {
        EXPECT_EQ(parse_expires(wrong), std::nullopt) << wrong;
    }
}

}  // namespace
}  // namespace tessera::service
