// Brings the database's schema up to date, one node at a time, or refuses one that a newer Tessera made.
#pragma once

#include "metadata/postgres/connection.hpp"

namespace tessera::metadata::postgres {

void migrate(Connection& connection);

}  // namespace tessera::metadata::postgres
