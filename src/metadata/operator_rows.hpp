// Values of what operators see and are, from rows; the same for every database: see row_values.hpp.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "metadata/daily_use.hpp"
#include "metadata/nodes.hpp"
#include "metadata/operator_views.hpp"
#include "metadata/operators.hpp"
#include "metadata/row_values.hpp"

namespace tessera::metadata {

// Names are in the trail: it says which operator signed in, and no account is involved.
inline Act operator_act(std::string_view action, std::string_view name, std::string details = "{}") {
    return {action, {}, std::string(name), std::move(details)};
}

inline std::optional<std::string> to_text(const std::optional<AccountState>& state) {
    if (!state) return std::nullopt;
    switch (*state) {
        case AccountState::active: return "active";
        case AccountState::suspended: return "suspended";
        case AccountState::being_erased: return "being_erased";
        case AccountState::erased: return "erased";
    }
    return std::nullopt;
}

// For LIKE with \ as its escape: a part of a text, taken literally.
inline std::optional<std::string> like_part(std::string_view text) {
    if (text.empty()) return std::nullopt;
    std::string pattern = "%";
    for (const char c : text) {
        if (c == '%' || c == '_' || c == '\\') pattern += '\\';
        pattern += c;
    }
    return pattern + "%";
}

Operator read_operator(Row auto& row) {
    Operator one;
    one.id = row.uuid();
    one.name = row.text();
    one.password_hash = row.text();
    one.created_at = row.time();
    one.password_changed_at = row.time();
    one.signed_in_at = row.optional_time();
    return one;
}

OperatorSession read_session(Row auto& row) {
    OperatorSession session;
    session.id = row.uuid();
    session.operator_id = row.uuid();
    session.operator_name = row.text();
    session.created_at = row.time();
    session.last_used_at = row.time();
    session.expires_at = row.time();
    session.address = row.text();
    session.user_agent = row.text();
    return session;
}

NodeReport read_node(Row auto& row) {
    NodeReport node;
    node.name = row.text();
    node.role = row.text();
    node.version = row.text();
    node.started_at = row.time();
    node.report = row.text();
    node.seen_at = row.time();
    node.age = Millis(std::max<std::int64_t>(0, row.integer()));
    return node;
}

// An account's row, then its use of the current period and what it keeps.
AccountUse read_account_use(Row auto& row) {
    AccountUse use;
    use.account = read_account(row);
    use.usage.period.starts_at = row.time();
    use.usage.period.ends_at = use.usage.period.starts_at + billing_period;
    use.usage.credits_used = row.integer();
    use.usage.delivered_bytes = row.integer();
    use.storage = read_storage_use(row);
    return use;
}

// Puts rows that come in the order of days together.
class DayList {
  public:
    void add_jobs(Row auto& row) {
        DayUse& day = at(row.integer());
        OperationUse use;
        use.operation = row.text();
        use.submitted = row.integer();
        use.succeeded = row.integer();
        use.failed = row.integer();
        use.cancelled = row.integer();
        use.credits = row.integer();
        day.operations.push_back(std::move(use));
    }
    void add_uploads(Row auto& row) {
        DayUse& day = at(row.integer());
        day.uploads = row.integer();
        day.uploaded_bytes = row.integer();
    }
    void add_deliveries(Row auto& row) {
        DayUse& day = at(row.integer());
        day.delivered_bytes = row.integer();
    }
    std::vector<DayUse> take() { return std::move(days_); }

  private:
    DayUse& at(std::int64_t number) {
        const std::chrono::sys_days day{std::chrono::days(number)};
        auto place = std::ranges::lower_bound(days_, day, {}, &DayUse::day);
        if (place == days_.end() || place->day != day) {
            place = days_.insert(place, DayUse{});
            place->day = day;
        }
        return *place;
    }
    std::vector<DayUse> days_;
};

inline std::int64_t number_of(std::chrono::sys_days day) {
    return day.time_since_epoch().count();
}

}  // namespace tessera::metadata
