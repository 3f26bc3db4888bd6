#include "webhooks/signature.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <fstream>
#include <iterator>
#include <vector>

namespace tessera::webhooks {
namespace {

namespace json = boost::json;

json::value vectors() {
    std::ifstream file(TESSERA_SOURCE_DIR "/tests/data/webhook_vectors.json");
    return json::parse(std::string(std::istreambuf_iterator<char>(file), {}));
}

TEST(Signature, IsThatOfTheVectors) {
    const json::value all = vectors();
    ASSERT_GE(all.at("sign").as_array().size(), 5u);
    for (const json::value& one : all.at("sign").as_array()) {
        const auto secrets = json::value_to<std::vector<std::string>>(one.at("secrets"));
        EXPECT_EQ(signature_header(secrets, json::value_to<std::string>(one.at("id")), one.at("timestamp").as_int64(),
                                   json::value_to<std::string>(one.at("body"))),
                  json::value_to<std::string>(one.at("signature")))
            << one.at("name");
    }
}

TEST(Signature, SecretsAreThirtyTwoRandomBytes) {
    const std::string secret = make_secret();
    EXPECT_THAT(secret, testing::StartsWith("whsec_"));
    EXPECT_EQ(key_of(secret).value().size(), 32u);
    EXPECT_NE(make_secret(), secret);
}

TEST(Signature, WhatIsNoSecretHasNoKey) {
    for (const char* text : {"", "whsec_", "whsec_abc", "whsec_????", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"})
        EXPECT_FALSE(key_of(text)) << text;
    EXPECT_EQ(key_of("whsec_AQI="), std::string("\x01\x02"));
}

}  // namespace
}  // namespace tessera::webhooks
