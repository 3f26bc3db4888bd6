// What a node counts of the webhooks that it sends.
#pragma once

#include <array>
#include <string_view>

#include "core/meters.hpp"
#include "webhooks/transfer.hpp"

namespace tessera::webhooks {

struct WebhookMeters {
    // How attempts ended: delivered, or why not.
    static constexpr std::array<std::string_view, 9> outcomes{
        "delivered",
        failure::http_status,
        failure::redirect,
        failure::timeout,
        failure::address_refused,
        failure::name_not_resolved,
        failure::connection_failed,
        failure::tls_failed,
        failure::bad_response,
    };
    std::array<Counter, outcomes.size()> attempts;
    Timing duration{long_times};
    Counter delivered;  // deliveries that ended
    Counter failed;
    Counter disabled_gone;  // endpoints switched off
    Counter disabled_failing;

    void note_attempt(std::string_view error, Millis took);
};

}  // namespace tessera::webhooks
