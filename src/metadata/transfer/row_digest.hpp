// A digest of a table's rows that does not depend on their order: the sum of 60 bits of each row's SHA-256, modulo
// 2^64.
#pragma once

#include <cstdint>
#include <string>

#include "metadata/transfer.hpp"
#include "metadata/transfer/tables.hpp"

namespace tessera::metadata::transfer {

class RowDigest {
  public:
    void add(const TransferRow& row);
    [[nodiscard]] std::int64_t rows() const { return rows_; }
    [[nodiscard]] std::string text() const;  // decimal

    // The same, asked of PostgreSQL: rows, then the text.
    static std::string postgres_query(const Table& table);

  private:
    std::int64_t rows_ = 0;
    std::uint64_t sum_ = 0;
};

}  // namespace tessera::metadata::transfer
