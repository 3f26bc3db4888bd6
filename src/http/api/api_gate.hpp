// The gate of the API: authenticates by API key, checks the role's permission, counts against rate limits.
#pragma once

#include <optional>
#include <string_view>

#include "http/server/server.hpp"

namespace tessera::service {
class Authenticator;
class RateLimiter;
}  // namespace tessera::service

namespace tessera::http {

class ApiGate final : public Gate {
  public:
    // Both outlive the gate.
    ApiGate(service::Authenticator& authenticator, service::RateLimiter& limiter);

    std::optional<Verdict> try_admit(const Route& route, Request& request) override;
    Verdict admit(const Route& route, Request& request) override;

  private:
    Verdict refuse_unauthenticated(const Request& request, Error error);
    Verdict admit_key(const Route& route, Request& request);
    Verdict admit_known(const Route& route, const Request& request, bool by_key);

    service::Authenticator& authenticator_;
    service::RateLimiter& limiter_;
};

// What follows "Authorization: Bearer"; empty when there is none.
std::string_view bearer_of(const Request& request);
// The key in "Authorization: Bearer …" or "X-API-Key: …"; empty when neither has one.
std::string_view api_key_of(const Request& request);

}  // namespace tessera::http
