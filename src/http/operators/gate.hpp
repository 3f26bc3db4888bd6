// The gate of the operators' interface: who is signed in, and that requests which change something come from the
// console's own pages. All other routes are another gate's.
#pragma once

#include <memory>

#include "http/server/server.hpp"

namespace tessera::service {
class OperatorSessions;
class RateLimiter;
}  // namespace tessera::service

namespace tessera::http {

class OperatorGate final : public Gate {
  public:
    // The services outlive the gate.
    OperatorGate(service::OperatorSessions& sessions, service::RateLimiter& limiter, std::shared_ptr<Gate> others);

    std::optional<Verdict> try_admit(const Route& route, Request& request) override;
    Verdict admit(const Route& route, Request& request) override;

  private:
    service::OperatorSessions& sessions_;
    service::RateLimiter& limiter_;
    const std::shared_ptr<Gate> others_;
};

// Whether a request that changes something may come from elsewhere than the console's own pages: it lacks the header
// that no other site can send without being asked for leave, or the browser says so.
bool is_cross_site(const Request& request);

}  // namespace tessera::http
