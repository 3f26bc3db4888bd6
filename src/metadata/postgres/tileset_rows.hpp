// A tileset from one row: its version and its layers are columns of it.
#pragma once

#include "core/tileset.hpp"
#include "metadata/postgres/rows.hpp"

namespace tessera::metadata::postgres {

Tileset read_tileset(Rows& row);

}  // namespace tessera::metadata::postgres
