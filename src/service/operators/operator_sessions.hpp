// Sessions over the metadata store. Passwords are compared on threads of their own, a few at a time and in fair turns
// of addresses, so that neither memory nor cores can be taken by whoever guesses.
#pragma once

#include "core/fair_executor.hpp"
#include "service/operators/config.hpp"
#include "service/operators/sessions.hpp"

namespace tessera::metadata {
class Operators;
struct OperatorSession;
}  // namespace tessera::metadata

namespace tessera::service {

class OperatorSessionService final : public OperatorSessions {
  public:
    OperatorSessionService(metadata::Operators& operators, RateLimiter& limiter, const ConsoleConfig& config);
    ~OperatorSessionService() override;  // stop()

    void sign_in(SignIn request, SignInAnswer answer) override;
    void change_password(PasswordChange request, ChangeAnswer answer) override;
    Result<OperatorSessionPtr> find(std::string_view token) override;
    Result<std::vector<OperatorSession>> list(const OperatorSession& of) override;
    Result<bool> end(const OperatorSession& who, const Uuid& id) override;
    Result<void> end_all(const OperatorSession& who) override;

    // Those that wait are refused from now on. Safe twice.
    void stop();

  private:
    Result<std::optional<SignedIn>> sign_in_now(const SignIn& request);
    Result<bool> change_password_now(const PasswordChange& request);
    [[nodiscard]] std::optional<Error> too_often(const RateSubject& client, std::string_view name);
    // Calls `work` when it is the client's turn, or `refuse`.
    void in_turn(const RateSubject& client, std::function<void()> work, const std::function<void(Error)>& refuse);
    [[nodiscard]] OperatorSession view_of(const metadata::OperatorSession& session) const;

    metadata::Operators& operators_;
    RateLimiter& limiter_;
    const ConsoleConfig config_;
    FairExecutor turns_;
};

}  // namespace tessera::service
