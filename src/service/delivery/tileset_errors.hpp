// What clients are told of tilesets and tiles that can't be shown. In one place, since whatever is asked for that is
// not there, or is somebody else's, must be told in the same words.
#pragma once

#include <string_view>

#include "core/error.hpp"

namespace tessera::service {

inline Error tileset_not_found() {
    return {ErrorCode::tileset_not_found, "tileset not found", {}};
}

inline Error tile_not_found() {
    return {ErrorCode::tile_not_found, "tile not found", {}};
}

// One that can't be read just now. The interface has no words for it, so a store that is away stays what it is.
inline Error tileset_unavailable(const Error& cause, std::string_view where) {
    const bool away = cause.code == ErrorCode::storage_unavailable || cause.code == ErrorCode::overloaded;
    return reworded(cause, away ? cause.code : ErrorCode::internal_error, "tileset is unavailable", where);
}

}  // namespace tessera::service
