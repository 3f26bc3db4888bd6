// The audit trail: who did what to the service, and when. Every administrative act writes its entry in its own
// transaction; the actor is given when the store is opened, or for a thread by acting_as.hpp. Entries hold ids and
// settings, no names of people and no secrets, and are never changed.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/clock.hpp"
#include "core/log.hpp"
#include "core/result.hpp"
#include "core/uuid.hpp"

namespace tessera::metadata {

struct Act {
    std::string_view action;         // key.create
    std::optional<Uuid> account_id;  // whose things it was about
    std::string subject = {};        // what was acted on, where that is not the account
    std::string details = "{}";      // JSON
};

// A JSON object of these fields.
inline std::string act_details(std::initializer_list<log::Field> fields) {
    std::string text;
    for (const log::Field& field : fields) field.append_to(text);
    if (!text.empty()) text.erase(0, 1);
    return "{" + text + "}";
}

struct AuditEntry {
    std::int64_t sequence = 0;  // rises
    Timestamp at;
    std::string actor;
    std::string action;
    std::optional<Uuid> account_id;
    std::string subject;
    std::string details;
};

struct AuditQuery {
    std::optional<Timestamp> since = {};
    std::optional<Uuid> account_id = {};
    std::int64_t after_sequence = 0;
    int limit = 1'000;
};

class Audit {
  public:
    virtual ~Audit() = default;

    // For acts that change nothing in the database.
    virtual Result<void> record(const Act& act) = 0;
    virtual Result<std::vector<AuditEntry>> list(const AuditQuery& query) = 0;  // oldest first
};

}  // namespace tessera::metadata
