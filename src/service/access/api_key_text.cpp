#include "service/access/api_key_text.hpp"

#include <algorithm>

#include "core/random.hpp"

namespace tessera::service {

std::string make_api_key() {
    return std::string(api_key_prefix) + random_token(api_key_token_length);
}

bool looks_like_api_key(std::string_view text) {
    const auto in_token = [](char c) {
        return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
    };
    return text.size() == api_key_length && text.starts_with(api_key_prefix) &&
           std::all_of(text.begin() + api_key_prefix.size(), text.end(), in_token);
}

Digest hash_of_api_key(std::string_view text) {
    return sha256(text);
}

}  // namespace tessera::service
