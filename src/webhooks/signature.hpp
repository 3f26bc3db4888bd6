// Signatures by the Standard Webhooks specification: v1, HMAC-SHA256 over "id.timestamp.body".
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace tessera::webhooks {

// "whsec_" and 32 random bytes in base64.
std::string make_secret();

// The bytes that sign; empty when `secret` is not "whsec_" and base64.
std::optional<std::string> key_of(std::string_view secret);

// What goes into `webhook-signature`: one signature for each secret, with a blank between them.
std::string signature_header(std::span<const std::string> secrets, std::string_view id, std::int64_t unix_seconds,
                             std::string_view body);

}  // namespace tessera::webhooks
