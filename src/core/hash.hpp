// SHA-256 and HMAC-SHA256 over OpenSSL.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace tessera {

using Digest = std::array<std::uint8_t, 32>;

// SHA-256 of a stream.
class Sha256 {
  public:
    Sha256();
    Sha256(Sha256&&) noexcept;
    Sha256& operator=(Sha256&&) noexcept;
    ~Sha256();

    void update(std::span<const std::uint8_t> bytes);
    void update(std::string_view text);
    Digest finish();  // and starts anew

  private:
    struct Context;
    std::unique_ptr<Context> context_;
};

Digest sha256(std::string_view text);

// HMAC-SHA256 with one key and many messages: the key's two block states are computed once, so that a message
// costs only its own blocks. Safe to use from many threads at once.
class HmacSha256 {
  public:
    explicit HmacSha256(std::string_view key);
    [[nodiscard]] Digest sign(std::string_view message) const;

  private:
    struct State {
        std::array<std::uint32_t, 8> words;
    };
    State inner_;
    State outer_;
};

// Compares in a time that depends on the lengths alone.
bool equal_in_constant_time(std::string_view a, std::string_view b);

}  // namespace tessera
