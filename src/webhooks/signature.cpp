#include "webhooks/signature.hpp"

#include <openssl/evp.h>

#include <array>

#include "core/base64.hpp"
#include "core/hash.hpp"
#include "core/random.hpp"

namespace tessera::webhooks {
namespace {

constexpr std::string_view prefix = "whsec_";
constexpr std::size_t secret_bytes = 32;

}  // namespace

std::string make_secret() {
    std::array<std::uint8_t, secret_bytes> bytes{};
    fill_random(bytes);
    return std::string(prefix) + to_base64(bytes);
}

std::optional<std::string> key_of(std::string_view secret) {
    if (!secret.starts_with(prefix)) return std::nullopt;
    secret.remove_prefix(prefix.size());
    if (secret.empty() || secret.size() % 4 != 0 || secret.size() > 1024) return std::nullopt;
    std::string key(secret.size() / 4 * 3, '\0');
    const int length =
        EVP_DecodeBlock(reinterpret_cast<unsigned char*>(key.data()),
                        reinterpret_cast<const unsigned char*>(secret.data()), static_cast<int>(secret.size()));
    if (length < 0) return std::nullopt;
    const std::size_t padding = secret.ends_with("==") ? 2 : secret.ends_with("=") ? 1 : 0;
    key.resize(static_cast<std::size_t>(length) - padding);
    return key;
}

std::string signature_header(std::span<const std::string> secrets, std::string_view id, std::int64_t unix_seconds,
                             std::string_view body) {
    std::string message(id);
    message += '.';
    message += std::to_string(unix_seconds);
    message += '.';
    message += body;
    std::string header;
    for (const std::string& secret : secrets) {
        const auto key = key_of(secret);
        if (!key) continue;
        if (!header.empty()) header += ' ';
        header += "v1,";
        header += to_base64(HmacSha256(*key).sign(message));
    }
    return header;
}

}  // namespace tessera::webhooks
