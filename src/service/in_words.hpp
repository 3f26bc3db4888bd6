// A store's error in the interface's words. A store that is away stays 503: waiting helps; anything else is as given.
#pragma once

#include <string>
#include <utility>

#include "core/error.hpp"

namespace tessera::service {

inline Error in_words(ErrorCode code, std::string message, const Error& cause, const std::string& where = {}) {
    if (cause.code == ErrorCode::storage_unavailable || cause.code == ErrorCode::overloaded) code = cause.code;
    return {code, std::move(message), where + cause.detail};
}

}  // namespace tessera::service
