// How hard an encoder squeezes. The pixels that come out are the same.
#pragma once

namespace tessera {

enum class Effort {
    quickest,  // for the tiles that change in many places: larger, at a part of the work
    quick,     // for the tiles of a whole picture
    thorough,  // for a few tiles that change: smaller, at several times the work
};

}  // namespace tessera
