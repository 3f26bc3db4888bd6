// Brings a database's schema up to date, or refuses to touch one that a newer Tessera made.
#pragma once

#include "metadata/sqlite/connection.hpp"

namespace tessera::metadata::sqlite {

// Each missing step in order, all in one transaction. Throws a Failure whose message says what is wrong.
void migrate(Connection& connection, const std::string& path);

}  // namespace tessera::metadata::sqlite
