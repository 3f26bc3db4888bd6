// Operators: the people who run the service, with a password each, and the sessions that they have signed in to. What
// is stored of a password and of a session's token is a hash.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/clock.hpp"
#include "core/hash.hpp"
#include "core/result.hpp"
#include "core/uuid.hpp"

namespace tessera::metadata {

struct Operator {
    Uuid id;
    std::string name;
    std::string password_hash;  // with its parameters: see service/operators/password_hash.hpp
    Timestamp created_at;
    Timestamp password_changed_at;
    std::optional<Timestamp> signed_in_at;  // last
};

struct OperatorSession {
    Uuid id;
    Uuid operator_id;
    std::string operator_name;
    Timestamp created_at;
    Timestamp last_used_at;  // to about a minute
    Timestamp expires_at;
    std::string address;  // that it was opened from
    std::string user_agent;
};

struct NewOperatorSession {
    Uuid operator_id;
    std::string password_hash;  // that was compared: one that has been changed meanwhile opens nothing
    Digest token_hash{};
    Millis lifetime{0};
    std::string address;
    std::string user_agent;
};

// How often a session's last use is written at most.
inline constexpr Millis session_noted_once_in{60'000};

class Operators {
  public:
    virtual ~Operators() = default;

    virtual Result<Operator> create(std::string_view name, std::string_view password_hash) = 0;  // `conflict`
    virtual Result<std::vector<Operator>> list() = 0;                                            // by name
    virtual Result<std::optional<Operator>> find(std::string_view name) = 0;
    // Ends all of the operator's sessions but `keep`. Empty when there is none of that name.
    virtual Result<std::optional<Operator>> change_password(std::string_view name, std::string_view password_hash,
                                                            std::optional<Uuid> keep) = 0;
    // With all sessions. False when there is none of that name.
    virtual Result<bool> remove(std::string_view name) = 0;

    // Empty when the operator is gone or has another password by now. Sessions that have expired are removed on the
    // way.
    virtual Result<std::optional<OperatorSession>> open_session(const NewOperatorSession& session) = 0;
    // Empty when there is none, it has expired, or it was not used for `idle`. Notes its use, once a minute at most.
    virtual Result<std::optional<OperatorSession>> use_session(const Digest& token_hash, Millis idle) = 0;
    // Those that still live, newest first; of all operators where none is named.
    virtual Result<std::vector<OperatorSession>> sessions(std::optional<Uuid> operator_id, Millis idle) = 0;
    // Of that operator alone. False when there is none.
    virtual Result<bool> end_session(Uuid operator_id, Uuid session_id) = 0;
    virtual Result<int> end_sessions(Uuid operator_id) = 0;  // how many
};

}  // namespace tessera::metadata
