// Operators sign in with a password, and are known by a token from then on.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/clock.hpp"
#include "core/result.hpp"
#include "core/uuid.hpp"
#include "service/access/rate_limiter.hpp"

namespace tessera::service {

struct OperatorSession {
    Uuid id;
    Uuid operator_id;
    std::string operator_name;
    Timestamp created_at;
    Timestamp last_used_at;
    Timestamp expires_at;
    Timestamp idle_expires_at;
    std::string address;
    std::string user_agent;
};
using OperatorSessionPtr = std::shared_ptr<const OperatorSession>;

struct SignIn {
    std::string name;
    std::string password;
    std::string address;  // of the client, as text
    std::string user_agent;
    RateSubject client;
};

struct SignedIn {
    OperatorSession session;
    std::string token;  // known to nobody else: what is stored is its hash
};

struct PasswordChange {
    OperatorSessionPtr session;
    std::string current_password;
    std::string new_password;
    RateSubject client;
};

class OperatorSessions {
  public:
    virtual ~OperatorSessions() = default;

    // `answer` is called once, from a thread of its own, or at once with a refusal: rate_limited or overloaded.
    // Nothing: there is no such operator, or that is not the password, which takes the same time.
    using SignInAnswer = std::function<void(Result<std::optional<SignedIn>>)>;
    virtual void sign_in(SignIn request, SignInAnswer answer) = 0;
    // In the same way; false: that is not the current password. Every other session of the operator ends.
    using ChangeAnswer = std::function<void(Result<bool>)>;
    virtual void change_password(PasswordChange request, ChangeAnswer answer) = 0;

    // Null when the token is none, or no longer.
    virtual Result<OperatorSessionPtr> find(std::string_view token) = 0;
    virtual Result<std::vector<OperatorSession>> list(const OperatorSession& of) = 0;
    // A session of the same operator. False when there is none of that id.
    virtual Result<bool> end(const OperatorSession& who, const Uuid& id) = 0;
    virtual Result<void> end_all(const OperatorSession& who) = 0;
};

}  // namespace tessera::service
