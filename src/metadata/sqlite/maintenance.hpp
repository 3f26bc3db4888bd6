// House-keeping in SQLite.
#pragma once

#include "metadata/maintenance.hpp"
#include "metadata/sqlite/readers.hpp"
#include "metadata/sqlite/writer.hpp"

namespace tessera::metadata::sqlite {

class SqliteMaintenance final : public Maintenance {
  public:
    SqliteMaintenance(Writer& writer, Readers& readers) : writer_(writer), readers_(readers) {}
    Result<int> remove_expired(const Sweep& sweep) override;
    Result<int> remove_ended_jobs(Timestamp before, int limit) override;
    Result<void> add_garbage(std::span<const std::string> keys, Millis delay) override;
    Result<std::vector<std::string>> unnamed(std::span<const std::string> keys) override;
    Result<void> keep_blobs(std::string_view holder, Millis duration) override;
    Result<void> let_blobs_go(std::string_view holder) override;
    Result<std::vector<std::string>> begin_blob_deletion(int limit) override;
    Result<void> finish_blob_deletion(std::span<const std::string> keys) override;
    Result<bool> hold_lease(std::string_view name, std::string_view holder, Millis duration) override;
    Result<void> drop_lease(std::string_view name, std::string_view holder) override;

  private:
    Writer& writer_;
    Readers& readers_;
};

}  // namespace tessera::metadata::sqlite
