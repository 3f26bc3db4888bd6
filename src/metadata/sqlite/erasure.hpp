// Suspension and erasure of accounts in SQLite.
#pragma once

#include "metadata/erasure.hpp"
#include "metadata/sqlite/readers.hpp"
#include "metadata/sqlite/writer.hpp"

namespace tessera::metadata::sqlite {

// Nothing of the account is claimed any more, and what runs goes back without costing an attempt.
void hold_account(Transaction& transaction, const Uuid& account_id);
void let_account_go(Transaction& transaction, const Uuid& account_id);

class SqliteErasure final : public Erasure {
  public:
    SqliteErasure(Writer& writer, Readers& readers) : writer_(writer), readers_(readers) {}
    Result<Account> begin(Uuid account_id) override;
    Result<int> remove_some(Uuid account_id) override;
    Result<Account> finish(Uuid account_id) override;
    Result<std::vector<Uuid>> unfinished() override;

  private:
    Writer& writer_;
    Readers& readers_;
};

}  // namespace tessera::metadata::sqlite
