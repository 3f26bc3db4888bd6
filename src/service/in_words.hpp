// A store's error in the words that a route has for it. Where waiting helps, it goes on saying so.
#pragma once

#include <string>
#include <utility>

#include "core/error.hpp"

namespace tessera::service {

inline Error in_words(ErrorCode code, std::string message, const Error& cause, const std::string& where = {}) {
    return {code, std::move(message), where + cause.detail, cause.retry_after_s};
}

// Of tiles: the interface has no words for them, so a store that is away stays what it is.
inline Error tileset_unavailable(const Error& cause, const std::string& where) {
    const bool away = cause.code == ErrorCode::storage_unavailable || cause.code == ErrorCode::overloaded;
    return in_words(away ? cause.code : ErrorCode::internal_error, "tileset is unavailable", cause, where);
}

}  // namespace tessera::service
