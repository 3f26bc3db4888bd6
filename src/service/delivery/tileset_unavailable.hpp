// A tileset that can't be read just now. The interface has no words for it, so a store that is away stays what it is.
#pragma once

#include <string_view>

#include "core/error.hpp"

namespace tessera::service {

inline Error tileset_unavailable(const Error& cause, std::string_view where) {
    const bool away = cause.code == ErrorCode::storage_unavailable || cause.code == ErrorCode::overloaded;
    return reworded(cause, away ? cause.code : ErrorCode::internal_error, "tileset is unavailable", where);
}

}  // namespace tessera::service
