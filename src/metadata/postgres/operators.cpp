#include "metadata/postgres/operators.hpp"

#include "metadata/operator_rows.hpp"
#include "postgres_sql.hpp"

namespace tessera::metadata::postgres {
namespace {

constexpr Millis forgotten_after = std::chrono::hours(24);

std::optional<Operator> read_one(Rows row) {
    if (!row.next()) return std::nullopt;
    return read_operator(row);
}

std::string name_of(Connection& db, const Uuid& id) {
    Rows row = db.run(sql::operators::name_of, id);
    return row.next() ? row.text() : std::string();
}

}  // namespace

Result<Operator> PostgresOperators::create(std::string_view name, std::string_view password_hash) {
    return pool_.write([&](Connection& db) {
        try {
            auto made =
                read_one(db.run(sql::operators::insert, Uuid::time_ordered(), name, password_hash, time_.now()));
            auditor_.note(db, operator_act("operator.create", name));
            return made.value();
        } catch (const Failure& failure) {
            if (!failure.is_unique_violation()) throw;
            throw Failure(Error{ErrorCode::conflict, "an operator of this name exists", {}});
        }
    });
}

Result<std::vector<Operator>> PostgresOperators::list() {
    return pool_.read([](Connection& db) {
        std::vector<Operator> all;
        Rows row = db.run(sql::operators::list);
        while (row.next()) all.push_back(read_operator(row));
        return all;
    });
}

Result<std::optional<Operator>> PostgresOperators::find(std::string_view name) {
    return pool_.read([&](Connection& db) { return read_one(db.run(sql::operators::find, name)); });
}

Result<std::optional<Operator>> PostgresOperators::change_password(std::string_view name,
                                                                   std::string_view password_hash,
                                                                   std::optional<Uuid> keep) {
    return pool_.write([&](Connection& db) {
        auto changed = read_one(db.run(sql::operators::change_password, name, password_hash, time_.now()));
        if (!changed) return changed;
        db.run(sql::operators::end_sessions, changed->id, keep);
        auditor_.note(db, operator_act("operator.password", name));
        return changed;
    });
}

Result<bool> PostgresOperators::remove(std::string_view name) {
    return pool_.write([&](Connection& db) {
        if (db.run(sql::operators::remove, name).affected() == 0) return false;
        auditor_.note(db, operator_act("operator.remove", name));
        return true;
    });
}

Result<std::optional<OperatorSession>> PostgresOperators::open_session(const NewOperatorSession& session) {
    return pool_.write([&](Connection& db) -> std::optional<OperatorSession> {
        Rows owner = db.run(sql::operators::has_password, session.operator_id, session.password_hash);
        if (!owner.next()) return std::nullopt;
        const std::string name = owner.text();
        db.run(sql::operators::remove_expired, time_.now());
        const Uuid id = Uuid::time_ordered();
        db.run(sql::operators::open, id, session.operator_id, session.token_hash, time_.now(), session.lifetime,
               session.address, session.user_agent);
        db.run(sql::operators::signed_in, session.operator_id, time_.now());
        auditor_.note(db, operator_act("operator.sign_in", name,
                                       act_details({{"session", id.to_string()}, {"address", session.address}})));
        Rows row = db.run(sql::operators::session, session.token_hash, time_.now(), session.lifetime);
        if (!row.next()) return std::nullopt;
        return read_session(row);
    });
}

Result<std::optional<OperatorSession>> PostgresOperators::use_session(const Digest& token_hash, Millis idle) {
    Millis unused{0};
    auto found = pool_.read([&](Connection& db) -> std::optional<OperatorSession> {
        Rows row = db.run(sql::operators::session, token_hash, time_.now(), idle);
        if (!row.next()) return std::nullopt;
        OperatorSession session = read_session(row);
        unused = Millis(row.integer());
        return session;
    });
    if (!found || !*found || unused < session_noted_once_in) return found;
    auto noted = pool_.write([&](Connection& db) {
        Rows row = db.run(sql::operators::note_used, (*found)->id, time_.now());
        if (row.next()) (*found)->last_used_at = row.time();
    });
    if (!noted) return std::move(noted).error();
    return found;
}

Result<std::vector<OperatorSession>> PostgresOperators::sessions(std::optional<Uuid> operator_id, Millis idle) {
    return pool_.read([&](Connection& db) {
        std::vector<OperatorSession> all;
        Rows row = db.run(sql::operators::sessions, operator_id, time_.now(), idle);
        while (row.next()) all.push_back(read_session(row));
        return all;
    });
}

Result<bool> PostgresOperators::end_session(Uuid operator_id, Uuid session_id) {
    return pool_.write([&](Connection& db) {
        if (db.run(sql::operators::end_session, operator_id, session_id).affected() == 0) return false;
        auditor_.note(db, operator_act("operator.sign_out", name_of(db, operator_id),
                                       act_details({{"session", session_id.to_string()}})));
        return true;
    });
}

Result<int> PostgresOperators::end_sessions(Uuid operator_id) {
    return pool_.write([&](Connection& db) {
        const auto ended = static_cast<int>(db.run(sql::operators::end_sessions, operator_id, std::nullopt).affected());
        if (const std::string name = name_of(db, operator_id); !name.empty())
            auditor_.note(db, operator_act("operator.revoke", name, act_details({{"sessions", ended}})));
        return ended;
    });
}

Result<void> PostgresNodes::say(const NodeReport& report) {
    return pool_.write([&](Connection& db) {
        db.run(sql::operators::forget_nodes, time_.now(), forgotten_after);
        db.run(sql::operators::say, report.name, report.role, report.version, report.started_at, time_.now(),
               report.report);
    });
}

Result<std::vector<NodeReport>> PostgresNodes::seen_within(Millis span) {
    return pool_.read([&](Connection& db) {
        std::vector<NodeReport> nodes;
        Rows row = db.run(sql::operators::nodes, time_.now(), span);
        while (row.next()) nodes.push_back(read_node(row));
        return nodes;
    });
}

Result<void> PostgresNodes::leave(std::string_view name) {
    return pool_.write([&](Connection& db) { db.run(sql::operators::leave, name); });
}

}  // namespace tessera::metadata::postgres
