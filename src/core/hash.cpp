// SHA256_Init and its kin are deprecated in favour of EVP, but only they let a block state be copied out: that is
// what makes a signature check cost 0.2 µs and not 1.8. Nor do they look the algorithm up by its name for each hash.
#define OPENSSL_SUPPRESS_DEPRECATED
#include "core/hash.hpp"

#include <openssl/crypto.h>
#include <openssl/sha.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>

namespace tessera {
namespace {

constexpr std::size_t block_size = SHA256_CBLOCK;

void check(int ok) {
    if (ok != 1) std::abort();  // out of memory or a broken library: nothing that a caller could mend
}

SHA256_CTX resume(const std::array<std::uint32_t, 8>& words) {
    SHA256_CTX context;
    SHA256_Init(&context);
    std::copy(words.begin(), words.end(), context.h);
    context.Nl = block_size * 8;  // one block has been read
    return context;
}

std::array<std::uint32_t, 8> absorb_padded_key(std::span<const std::uint8_t> key, std::uint8_t pad) {
    std::array<std::uint8_t, block_size> block;
    block.fill(pad);
    for (std::size_t i = 0; i < key.size(); ++i) block[i] = static_cast<std::uint8_t>(key[i] ^ pad);
    SHA256_CTX context;
    SHA256_Init(&context);
    SHA256_Update(&context, block.data(), block.size());
    std::array<std::uint32_t, 8> words;
    std::copy(std::begin(context.h), std::end(context.h), words.begin());
    OPENSSL_cleanse(block.data(), block.size());
    return words;
}

}  // namespace

struct Sha256::Context {
    Context() { check(SHA256_Init(&state)); }
    SHA256_CTX state;
};

Sha256::Sha256() : context_(std::make_unique<Context>()) {}
Sha256::Sha256(Sha256&&) noexcept = default;
Sha256& Sha256::operator=(Sha256&&) noexcept = default;
Sha256::~Sha256() = default;

void Sha256::update(std::span<const std::uint8_t> bytes) {
    check(SHA256_Update(&context_->state, bytes.data(), bytes.size()));
}

void Sha256::update(std::string_view text) {
    check(SHA256_Update(&context_->state, text.data(), text.size()));
}

Digest Sha256::finish() {
    Digest digest;
    check(SHA256_Final(digest.data(), &context_->state));
    check(SHA256_Init(&context_->state));
    return digest;
}

Digest sha256(std::string_view text) {
    SHA256_CTX context;
    SHA256_Init(&context);
    SHA256_Update(&context, text.data(), text.size());
    Digest digest;
    SHA256_Final(digest.data(), &context);
    return digest;
}

HmacSha256::HmacSha256(std::string_view key) {
    Digest hashed;
    std::span<const std::uint8_t> bytes(reinterpret_cast<const std::uint8_t*>(key.data()), key.size());
    if (key.size() > block_size) {
        hashed = sha256(key);
        bytes = hashed;
    }
    inner_.words = absorb_padded_key(bytes, 0x36);
    outer_.words = absorb_padded_key(bytes, 0x5c);
}

Digest HmacSha256::sign(std::string_view message) const {
    Digest digest;
    SHA256_CTX context = resume(inner_.words);
    SHA256_Update(&context, message.data(), message.size());
    SHA256_Final(digest.data(), &context);
    context = resume(outer_.words);
    SHA256_Update(&context, digest.data(), digest.size());
    SHA256_Final(digest.data(), &context);
    return digest;
}

bool equal_in_constant_time(std::string_view a, std::string_view b) {
    if (a.size() != b.size()) return false;
    // Eight bytes at a time: signatures are compared on every request for a tile.
    std::uint64_t different = 0;
    std::size_t at = 0;
    for (; at + 8 <= a.size(); at += 8) {
        std::uint64_t left = 0;
        std::uint64_t right = 0;
        std::memcpy(&left, a.data() + at, 8);
        std::memcpy(&right, b.data() + at, 8);
        different |= left ^ right;
    }
    for (; at < a.size(); ++at) different |= static_cast<unsigned char>(a[at] ^ b[at]);
    return different == 0;
}

}  // namespace tessera
