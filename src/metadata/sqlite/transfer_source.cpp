// Reads an embedded database to be moved: everything of one moment, cell by cell as text.
#include <charconv>
#include <iterator>

#include "metadata/sqlite/connection.hpp"
#include "metadata/transfer.hpp"
#include "metadata/transfer/tables.hpp"
#include "sqlite_sql.hpp"

namespace tessera::metadata {
namespace sqlite {
namespace {

using transfer::Column;
using transfer::Kind;
using transfer::Table;

std::string as_text(const Column& column) {
    std::string value(column.from.empty() ? column.name : column.from);
    switch (column.kind) {
        case Kind::uuid:
        case Kind::bytes: return "iif(" + value + " IS NULL, NULL, lower(hex(" + value + ")))";
        case Kind::integer:
        case Kind::flag: return "CAST(" + value + " AS TEXT)";
        case Kind::real: return "printf('%!.17g', " + value + ")";
        case Kind::text: break;
    }
    return value;
}

std::string select_from(const Table& table) {
    std::string cells;
    for (const Column& column : table.columns) cells += (cells.empty() ? "" : ", ") + as_text(column);
    return "SELECT " + cells + " FROM " + std::string(table.name);
}

// As the other database writes it: the shortest text that reads back as the same number.
std::string shortest(const std::string& text) {
    double value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value);
    char out[32];
    return {out, std::to_chars(std::begin(out), std::end(out), value).ptr};
}

class SqliteSource final : public TransferSource {
  public:
    explicit SqliteSource(const std::string& path) : db_(path, Connection::Mode::read_write, false, Millis(10'000)) {
        constexpr auto known = static_cast<std::int64_t>(std::size(sql::migrations));
        Query version(db_, sql::schema::version);
        const std::int64_t found = version.next() ? version.integer() : 0;
        version.finish();
        if (found != known) {
            const std::string message =
                "the database " + path + " has schema " + std::to_string(found) + " and this version knows " +
                std::to_string(known) +
                (found < known ? ": start this version on it once, then stop it" : ": use the newer version");
            throw Failure(Error{ErrorCode::storage_unavailable, message, message});
        }
        for (const Table& table : transfer::tables()) {
            selects_.push_back(select_from(table));
            counts_.push_back("SELECT count(*) FROM " + std::string(table.name));
        }
        db_.run(sql::transaction::begin);
    }

    Result<std::vector<TableSize>> sizes() override {
        std::vector<TableSize> all;
        auto done = guarded([&]() -> Result<void> {
            for (std::size_t i = 0; i < counts_.size(); ++i) {
                Query row(db_, counts_[i]);
                row.next();
                all.push_back({std::string(transfer::tables()[i].name), row.integer()});
            }
            return {};
        });
        if (!done) return done.error();
        return all;
    }

    Result<void> each_blob(const std::function<Result<void>(const NamedBlob&)>& use) override {
        return guarded([&]() -> Result<void> {
            Query row(db_, sql::transfer::named_blobs);
            while (row.next()) {
                NamedBlob blob;
                blob.key = row.text();
                blob.size = static_cast<std::uint64_t>(row.integer());
                blob.sha256 = row.text();
                if (auto ok = use(blob); !ok) return ok;
            }
            return {};
        });
    }

    Result<void> each_row(std::size_t table, const std::function<Result<void>(TransferRow&&)>& use) override {
        return guarded([&]() -> Result<void> {
            const auto& columns = transfer::tables()[table].columns;
            Query row(db_, selects_[table]);
            while (row.next()) {
                TransferRow cells;
                cells.reserve(columns.size());
                for (const Column& column : columns) {
                    cells.push_back(row.optional_text());
                    if (column.kind == Kind::real && cells.back()) cells.back() = shortest(*cells.back());
                }
                if (auto ok = use(std::move(cells)); !ok) return ok;
            }
            return {};
        });
    }

  private:
    template <typename Body>
    static Result<void> guarded(Body body) {
        try {
            return body();
        } catch (const Failure& failure) {
            return failure.error();
        }
    }

    Connection db_;
    std::vector<std::string> selects_;  // by table
    std::vector<std::string> counts_;
};

}  // namespace
}  // namespace sqlite

Result<std::unique_ptr<TransferSource>> open_sqlite_source(const std::string& path) {
    try {
        return std::unique_ptr<TransferSource>(std::make_unique<sqlite::SqliteSource>(path));
    } catch (const sqlite::Failure& failure) {
        return failure.error();
    }
}

}  // namespace tessera::metadata
