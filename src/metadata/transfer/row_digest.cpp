#include "metadata/transfer/row_digest.hpp"

#include "core/hash.hpp"

namespace tessera::metadata::transfer {
namespace {

// Characters that no stored text contains.
constexpr char between_cells = '\x1f';
constexpr char null_cell = '\x1e';

std::string as_text(const Column& column) {
    std::string name(column.name);
    switch (column.kind) {
        case Kind::uuid: return "replace(" + name + "::text, '-', '')";
        case Kind::bytes: return "encode(" + name + ", 'hex')";
        case Kind::flag: return name + "::integer::text";
        case Kind::integer:
        case Kind::real: return name + "::text";
        case Kind::text: break;
    }
    return name;
}

}  // namespace

void RowDigest::add(const TransferRow& row) {
    std::string text;
    for (const auto& cell : row) {
        if (&cell != row.data()) text += between_cells;
        text += cell.value_or(std::string(1, null_cell));
    }
    const Digest digest = sha256(text);
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < 8; ++i) bits = bits << 8 | digest[i];
    sum_ += bits >> 4;
    ++rows_;
}

std::string RowDigest::text() const {
    return std::to_string(sum_);
}

std::string RowDigest::postgres_query(const Table& table) {
    std::string cells;
    for (const Column& column : table.columns) cells += ", coalesce(" + as_text(column) + ", E'\\x1e')";
    return "SELECT count(*), coalesce(sum(('x' || left(encode(sha256(convert_to(concat_ws(E'\\x1f'" + cells +
           "), 'UTF8')), 'hex'), 15))::bit(60)::bigint), 0) % 18446744073709551616 FROM " + std::string(table.name);
}

}  // namespace tessera::metadata::transfer
