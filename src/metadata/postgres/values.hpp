// Values from rows; the columns are in the order in which the queries name them.
#pragma once

#include "core/asset.hpp"
#include "core/job.hpp"
#include "core/tileset.hpp"
#include "metadata/postgres/rows.hpp"

namespace tessera::metadata::postgres {

Job read_job(Rows& row);
Artifact read_artifact(Rows& row);
Asset read_asset(Rows& row);
Tileset read_tileset(Rows& row);

}  // namespace tessera::metadata::postgres
