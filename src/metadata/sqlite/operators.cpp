#include "metadata/sqlite/operators.hpp"

#include "metadata/operator_rows.hpp"
#include "sqlite_sql.hpp"

namespace tessera::metadata::sqlite {
namespace {

constexpr Millis forgotten_after = std::chrono::hours(24);

std::optional<Operator> find_operator(Connection& db, std::string_view name) {
    Query row(db, sql::operators::find, name);
    if (!row.next()) return std::nullopt;
    return read_operator(row);
}

std::optional<OperatorSession> find_session(Connection& db, const Digest& token_hash, Timestamp now, Millis idle) {
    Query row(db, sql::operators::session, token_hash, now, idle);
    if (!row.next()) return std::nullopt;
    return read_session(row);
}

std::string name_of(Connection& db, const Uuid& id) {
    Query row(db, sql::operators::name_of, id);
    return row.next() ? row.text() : std::string();
}

}  // namespace

Result<Operator> SqliteOperators::create(std::string_view name, std::string_view password_hash) {
    return writer_.run([&](Transaction& transaction) {
        try {
            transaction.db.run(sql::operators::insert, Uuid::time_ordered(), name, password_hash, transaction.now);
        } catch (const Failure& failure) {
            if (!failure.is_unique_violation()) throw;
            throw Failure(Error{ErrorCode::conflict, "an operator of this name exists", {}});
        }
        transaction.note_act(operator_act("operator.create", name));
        return *find_operator(transaction.db, name);
    });
}

Result<std::vector<Operator>> SqliteOperators::list() {
    return readers_.run([](Connection& db) {
        std::vector<Operator> all;
        Query row(db, sql::operators::list);
        while (row.next()) all.push_back(read_operator(row));
        return all;
    });
}

Result<std::optional<Operator>> SqliteOperators::find(std::string_view name) {
    return readers_.run([&](Connection& db) { return find_operator(db, name); });
}

Result<std::optional<Operator>> SqliteOperators::change_password(std::string_view name, std::string_view password_hash,
                                                                 std::optional<Uuid> keep) {
    return writer_.run([&](Transaction& transaction) {
        transaction.db.run(sql::operators::change_password, name, password_hash, transaction.now);
        auto changed = find_operator(transaction.db, name);
        if (!changed) return changed;
        transaction.db.run(sql::operators::end_sessions, changed->id, keep);
        transaction.note_act(operator_act("operator.password", name));
        return changed;
    });
}

Result<bool> SqliteOperators::remove(std::string_view name) {
    return writer_.run([&](Transaction& transaction) {
        transaction.db.run(sql::operators::remove, name);
        if (transaction.db.changes() == 0) return false;
        transaction.note_act(operator_act("operator.remove", name));
        return true;
    });
}

Result<std::optional<OperatorSession>> SqliteOperators::open_session(const NewOperatorSession& session) {
    return writer_.run([&](Transaction& transaction) -> std::optional<OperatorSession> {
        const Timestamp now = transaction.now;
        std::string name;
        {
            Query row(transaction.db, sql::operators::has_password, session.operator_id, session.password_hash);
            if (!row.next()) return std::nullopt;
            name = row.text();
        }
        transaction.db.run(sql::operators::remove_expired, now);
        const Uuid id = Uuid::time_ordered();
        transaction.db.run(sql::operators::open, id, session.operator_id, session.token_hash, now,
                           now + session.lifetime, session.address, session.user_agent);
        transaction.db.run(sql::operators::signed_in, session.operator_id, now);
        transaction.note_act(operator_act("operator.sign_in", name,
                                          act_details({{"session", id.to_string()}, {"address", session.address}})));
        return find_session(transaction.db, session.token_hash, now, session.lifetime);
    });
}

Result<std::optional<OperatorSession>> SqliteOperators::use_session(const Digest& token_hash, Millis idle) {
    const Timestamp now = clock_.now();
    auto found = readers_.run([&](Connection& db) { return find_session(db, token_hash, now, idle); });
    if (!found || !*found || now - (*found)->last_used_at < session_noted_once_in) return found;
    const auto note = [&](Transaction& transaction) {
        transaction.db.run(sql::operators::note_used, (*found)->id, now);
    };
    if (auto noted = writer_.run(note, Durability::lazy); !noted) return std::move(noted).error();
    (*found)->last_used_at = now;
    return found;
}

Result<std::vector<OperatorSession>> SqliteOperators::sessions(std::optional<Uuid> operator_id, Millis idle) {
    return readers_.run([&](Connection& db) {
        std::vector<OperatorSession> all;
        Query row(db, sql::operators::sessions, operator_id, clock_.now(), idle);
        while (row.next()) all.push_back(read_session(row));
        return all;
    });
}

Result<bool> SqliteOperators::end_session(Uuid operator_id, Uuid session_id) {
    return writer_.run([&](Transaction& transaction) {
        transaction.db.run(sql::operators::end_session, operator_id, session_id);
        if (transaction.db.changes() == 0) return false;
        transaction.note_act(operator_act("operator.sign_out", name_of(transaction.db, operator_id),
                                          act_details({{"session", session_id.to_string()}})));
        return true;
    });
}

Result<int> SqliteOperators::end_sessions(Uuid operator_id) {
    return writer_.run([&](Transaction& transaction) {
        transaction.db.run(sql::operators::end_sessions, operator_id, std::nullopt);
        const auto ended = static_cast<int>(transaction.db.changes());
        if (const std::string name = name_of(transaction.db, operator_id); !name.empty())
            transaction.note_act(operator_act("operator.revoke", name, act_details({{"sessions", ended}})));
        return ended;
    });
}

Result<void> SqliteNodes::say(const NodeReport& report) {
    const auto write = [&](Transaction& transaction) {
        transaction.db.run(sql::operators::forget_nodes, transaction.now - forgotten_after);
        transaction.db.run(sql::operators::say, report.name, report.role, report.version, report.started_at,
                           transaction.now, report.report);
    };
    return writer_.run(write, Durability::lazy);
}

Result<std::vector<NodeReport>> SqliteNodes::seen_within(Millis span) {
    return readers_.run([&](Connection& db) {
        std::vector<NodeReport> nodes;
        const Timestamp now = clock_.now();
        Query row(db, sql::operators::nodes, now, now - span);
        while (row.next()) nodes.push_back(read_node(row));
        return nodes;
    });
}

Result<void> SqliteNodes::leave(std::string_view name) {
    const auto write = [&](Transaction& transaction) { transaction.db.run(sql::operators::leave, name); };
    return writer_.run(write, Durability::lazy);
}

}  // namespace tessera::metadata::sqlite
