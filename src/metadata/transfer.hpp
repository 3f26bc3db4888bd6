// Moves everything that an embedded database holds into an empty one that the nodes of a cluster share: row by row, all
// or nothing, and compared before it counts. Ids, hashes, credits and history stay what they are; jobs that were
// running are handed back and run in their new place.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "core/uuid.hpp"
#include "metadata/signing_secrets.hpp"

namespace tessera::metadata {

// A blob that rows name.
struct NamedBlob {
    std::string key;
    std::uint64_t size = 0;
    std::string sha256;  // in hex; empty where no row knows it
};

struct TableSize {
    std::string table;
    std::int64_t rows = 0;
};

// The cells of a row as text, in the order of its table's columns; null where the column is.
using TransferRow = std::vector<std::optional<std::string>>;

// A database as it was when this was opened. Nothing in it is changed.
class TransferSource {
  public:
    virtual ~TransferSource() = default;

    virtual Result<std::vector<TableSize>> sizes() = 0;
    // Each blob once, in the order of the keys. Stops at the first error that `use` returns.
    virtual Result<void> each_blob(const std::function<Result<void>(const NamedBlob&)>& use) = 0;
    virtual Result<void> each_row(std::size_t table, const std::function<Result<void>(TransferRow&&)>& use) = 0;
};

enum class TransferState {
    empty,     // nothing is there
    begun,     // this very run began and did not end
    finished,  // this very run ended
    foreign,   // somebody else's data is there
};

class TransferTarget {
  public:
    virtual ~TransferTarget() = default;

    virtual Result<TransferState> state(const Uuid& run) = 0;
    // Marks the target as this run's.
    virtual Result<void> begin(const Uuid& run) = 0;
    // All rows and the signing secrets, newest first, in one transaction, which is committed only when every table
    // reads back as it was sent. `moved` is told of rows as they go.
    virtual Result<void> take(TransferSource& source, const Uuid& run, std::span<const StoredSecret> secrets,
                              const std::function<void(std::int64_t rows)>& moved) = 0;
};

Result<std::unique_ptr<TransferSource>> open_sqlite_source(const std::string& path);
// Makes the schema where there is none. `actor` is who the audit trail says moved it all.
Result<std::unique_ptr<TransferTarget>> open_postgres_target(const std::string& url, const std::string& actor);

}  // namespace tessera::metadata
