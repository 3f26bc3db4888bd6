// What only addresses of pictures can be refused for. Used as an ErrorCode.
#pragma once

#include "core/error.hpp"

namespace tessera {

struct PictureError {
    static const ErrorKind not_implemented;
};

}  // namespace tessera
