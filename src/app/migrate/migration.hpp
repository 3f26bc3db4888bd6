// Moves an embedded data folder to where the configuration points: rows to PostgreSQL, blobs to another store, or both.
// Steps: look at both ends, mark the target as this run's, copy the blobs, then all rows in one transaction. A run that
// was killed anywhere is run again and goes on; the source is never changed, but for the number of the run beside it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/config/config.hpp"
#include "app/data_folder.hpp"
#include "app/migrate/report.hpp"
#include "core/uuid.hpp"
#include "metadata/transfer.hpp"

namespace tessera::blobs {
class BlobStore;
}

namespace tessera::app {

struct MigrationOptions {
    std::string from;
    std::string actor;  // who the audit trail names
    bool dry_run = false;
    bool read_back = false;      // fetch every copy and compare
    bool allow_damaged = false;  // move rows whose blob is missing or damaged, too
};

class Migration {
  public:
    // Throws CommandFailed, as all that follows: the source is missing or in use, or there is nothing to move.
    Migration(const Config& config, MigrationOptions options, MigrationReport& report);
    ~Migration();

    void run();

  private:
    struct Sizes {
        std::int64_t rows = 0;
        std::int64_t blobs = 0;
        std::uint64_t bytes = 0;
    };

    void tell_plan();
    bool rows_are_there();  // finished by an earlier run
    void claim_target();
    void claim_blobs();
    void copy_blobs();
    void copy_rows();
    std::vector<metadata::StoredSecret> secrets();

    const Config config_;
    const MigrationOptions options_;
    MigrationReport& report_;
    DataFolder source_folder_;
    DataFolder target_folder_;
    const bool moves_rows_;
    const bool moves_blobs_;
    const std::unique_ptr<metadata::TransferSource> source_;
    std::vector<metadata::TableSize> tables_;
    Sizes sizes_;
    Uuid run_;
    std::unique_ptr<metadata::TransferTarget> target_;  // null when rows stay
    std::unique_ptr<blobs::BlobStore> source_blobs_;    // null when blobs stay
    std::unique_ptr<blobs::BlobStore> target_blobs_;
};

}  // namespace tessera::app
