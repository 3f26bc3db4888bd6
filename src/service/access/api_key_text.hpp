// The text of API keys: a prefix that secret scanners can find, and a token that can't be guessed.
#pragma once

#include <string>
#include <string_view>

#include "core/hash.hpp"

namespace tessera::service {

inline constexpr std::string_view api_key_prefix = "tsr_";
inline constexpr std::size_t api_key_token_length = 40;  // of [0-9A-Za-z]: 238 bits
inline constexpr std::size_t api_key_length = api_key_prefix.size() + api_key_token_length;

[[nodiscard]] std::string make_api_key();
[[nodiscard]] bool looks_like_api_key(std::string_view text);
// What is stored in a key's place. The token has full entropy, so a plain hash can't be searched.
[[nodiscard]] Digest hash_of_api_key(std::string_view text);

}  // namespace tessera::service
