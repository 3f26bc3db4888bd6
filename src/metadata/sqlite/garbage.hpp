// Blobs that nothing names any more, as steps of a transaction.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "metadata/sqlite/writer.hpp"

namespace tessera::metadata::sqlite {

// How long a key stays refused when its deletion was begun and not heard of again, and how long it is remembered that
// its blob was deleted: longer than any upload may take between writing its blob and inserting its row.
inline constexpr Millis deletion_timeout = std::chrono::minutes(10);
inline constexpr Millis tombstone_life = std::chrono::hours(24);

bool is_named(Connection& db, std::string_view key);
// After the names are gone: the key becomes garbage unless something else names it.
void discard(Transaction& transaction, std::string_view key, Millis delay);
// Before a job's output is named. Throws when the blob is gone or going: the work must be done again.
void take_name(Transaction& transaction, std::string_view key);

}  // namespace tessera::metadata::sqlite
