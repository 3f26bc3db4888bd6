// How hard an encoder squeezes. The pixels that come out are the same.
#pragma once

namespace tessera {

enum class Effort {
    quick,     // for the tiles of a whole picture
    thorough,  // for a few tiles that change: smaller, at several times the work
};

}  // namespace tessera
