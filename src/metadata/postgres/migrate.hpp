// Brings the database's schema up to date, one node at a time, or refuses one that a newer Tessera made.
#pragma once

#include "metadata/postgres/connection.hpp"

namespace tessera::metadata::postgres {

// Without `create` a database that has no tables yet is `not_found`, and stays as it is.
void migrate(Connection& connection, bool create = true);

}  // namespace tessera::metadata::postgres
