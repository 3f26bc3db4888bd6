// Why something was not done, in the service's own words where it gave some.
#pragma once

#include <string>

#include "app/remote/message.hpp"

namespace tessera::remote {

struct Refusal {
    int status = 0;            // 0: no answer, or no request
    std::string error;         // what happened
    std::string code{};        // for programs; empty where nobody gave one
    std::string hint{};        // what to do
    std::string request_id{};  // under which the service's log tells more
    std::string job_id{};      // of a job that was accepted and failed
    bool no_answer = false;    // the service, or the way to it, is away

    // "asset not found (asset_not_found; request 0e7a…)"
    [[nodiscard]] std::string text() const;
};

// Of an answer that is no success; one without JSON has a refusal, too.
Refusal refusal_of(const Answer& answer);

// Whether it meets every file of a batch alike, and waiting does not help: a key, credits, a service that is away.
bool meets_every_file(const Refusal& refusal);

// Of something that went wrong on this machine.
Refusal own_trouble(std::string error);

}  // namespace tessera::remote
