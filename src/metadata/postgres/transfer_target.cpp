// Takes in what an embedded database held: one transaction, committed only when every table reads back as sent.
#include <algorithm>

#include "metadata/postgres/audit.hpp"
#include "metadata/postgres/migrate.hpp"
#include "metadata/postgres/pool.hpp"
#include "metadata/transfer.hpp"
#include "metadata/transfer/row_digest.hpp"
#include "metadata/transfer/tables.hpp"
#include "postgres_sql.hpp"

namespace tessera::metadata {
namespace postgres {
namespace {

using transfer::Column;
using transfer::Kind;
using transfer::RowDigest;
using transfer::Table;

constexpr std::size_t most_rows = 1'000;       // in one statement
constexpr std::size_t most_bytes = 2'000'000;  // and their texts

std::string from_text(const Column& column) {
    std::string cell = "v." + std::string(column.name);
    switch (column.kind) {
        case Kind::uuid: return cell + "::uuid";
        case Kind::bytes: return "decode(" + cell + ", 'hex')";
        case Kind::integer: return cell + "::bigint";
        case Kind::real: return cell + "::double precision";
        case Kind::flag: return cell + "::boolean";
        case Kind::text: break;
    }
    return cell;
}

// Rows come as one array a column.
std::string insert_into(const Table& table) {
    std::string names;
    std::string values;
    std::string arrays;
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
        const std::string comma = i == 0 ? "" : ", ";
        names += comma + std::string(table.columns[i].name);
        values += comma + from_text(table.columns[i]);
        arrays += comma + "$" + std::to_string(i + 1) + "::text[]";
    }
    return "INSERT INTO " + std::string(table.name) + " (" + names + ") OVERRIDING SYSTEM VALUE SELECT " + values +
           " FROM unnest(" + arrays + ") AS v (" + names + ")";
}

class PostgresTarget final : public TransferTarget {
  public:
    PostgresTarget(const ConnectionSettings& settings, std::string actor)
        : db_(settings), auditor_(std::move(actor), GivenTime(nullptr)) {
        migrate(db_);
        db_.script("SET idle_in_transaction_session_timeout = 0");
        for (const Table& table : transfer::tables()) {
            inserts_.push_back(insert_into(table));
            digests_.push_back(RowDigest::postgres_query(table));
        }
    }

    Result<TransferState> state(const Uuid& run) override {
        return Pool::guarded([&] {
            Rows row = db_.run(sql::transfer::state, run);
            row.next();
            const bool ours = row.flag();
            const bool finished = row.flag();
            const bool others = row.flag();
            if (finished) return TransferState::finished;
            if (others) return TransferState::foreign;
            return ours ? TransferState::begun : TransferState::empty;
        });
    }

    Result<void> begin(const Uuid& run) override {
        return Pool::guarded([&] { db_.run(sql::transfer::begin_run, run); });
    }

    Result<void> take(TransferSource& source, const Uuid& run, std::span<const StoredSecret> secrets,
                      const std::function<void(std::int64_t)>& moved) override {
        auto taken = Pool::guarded([&] {
            db_.run(sql::transaction::begin);
            db_.run(sql::transfer::lock);
            check_is_free(run);
            db_.run(sql::transfer::forget_plans);
            db_.run(sql::transfer::forget_secrets);
            db_.run(sql::transfer::forget_acts);
            for (const std::string_view statement :
                 {sql::transfer::count_no_jobs, sql::transfer::count_no_charges, sql::transfer::count_no_uploads}) {
                db_.run(statement);
            }
            for (std::size_t i = 0; i < inserts_.size(); ++i) copy_table(source, i, moved);
            for (auto oldest = secrets.rbegin(); oldest != secrets.rend(); ++oldest) {
                db_.run(sql::transfer::add_secret, oldest->secret, oldest->created_at);
            }
            for (const std::string_view statement :
                 {sql::transfer::count_jobs, sql::transfer::count_charges, sql::transfer::count_uploads,
                  sql::transfer::go_on_counting_jobs, sql::transfer::go_on_counting_charges,
                  sql::transfer::go_on_counting_acts, sql::transfer::make_ready, sql::transfer::count_queue,
                  sql::transfer::tell_nodes}) {
                db_.run(statement);
            }
            auditor_.note(db_, {"migrate", {}, run.to_string()});
            db_.run(sql::transfer::finish_run, run);
            db_.run(sql::transaction::commit);
        });
        if (!taken && db_.alive()) static_cast<void>(Pool::guarded([&] { db_.run(sql::transaction::roll_back); }));
        return taken;
    }

  private:
    void check_is_free(const Uuid& run) {
        const Result<TransferState> now = state(run);
        if (!now) throw Failure(now.error());
        if (*now == TransferState::begun) return;
        throw Failure(Error{ErrorCode::conflict, "somebody else wrote to the database meanwhile", {}});
    }

    void copy_table(TransferSource& source, std::size_t table, const std::function<void(std::int64_t)>& moved) {
        RowDigest sent;
        std::vector<std::vector<std::optional<std::string>>> columns(transfer::tables()[table].columns.size());
        std::size_t bytes = 0;
        const auto flush = [&] {
            if (columns.front().empty()) return;
            Call call{inserts_[table], {}};
            for (auto& column : columns) {
                call.parameters.add_array(column);
                column.clear();
            }
            db_.run(call);
            bytes = 0;
            moved(sent.rows());
        };
        const auto read = source.each_row(table, [&](TransferRow&& row) -> Result<void> {
            sent.add(row);
            for (std::size_t i = 0; i < row.size(); ++i) {
                bytes += row[i] ? row[i]->size() : 0;
                columns[i].push_back(std::move(row[i]));
            }
            if (columns.front().size() < most_rows && bytes < most_bytes) return {};
            return Pool::guarded(flush);
        });
        if (!read) throw Failure(read.error());
        flush();
        compare(table, sent);
    }

    void compare(std::size_t table, const RowDigest& sent) {
        Rows row = db_.run(digests_[table]);
        row.next();
        const std::int64_t rows = row.integer();
        if (rows == sent.rows() && row.text() == sent.text()) return;
        throw Failure(internal_error("the table " + std::string(transfer::tables()[table].name) +
                                     " does not read back as it was sent; nothing was changed"));
    }

    Connection db_;
    Auditor auditor_;
    std::vector<std::string> inserts_;  // by table
    std::vector<std::string> digests_;
};

}  // namespace
}  // namespace postgres

Result<std::unique_ptr<TransferTarget>> open_postgres_target(const std::string& url, const std::string& actor) {
    return postgres::Pool::guarded([&] {
        // Verifying a large table takes as long as it takes.
        const postgres::ConnectionSettings settings{url, std::chrono::hours(1), Millis(5'000)};
        return std::unique_ptr<TransferTarget>(std::make_unique<postgres::PostgresTarget>(settings, actor));
    });
}

}  // namespace tessera::metadata
