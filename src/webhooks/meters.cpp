#include "webhooks/meters.hpp"

namespace tessera::webhooks {

void WebhookMeters::note_attempt(std::string_view error, Millis took) {
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
        if (outcomes[i] == (error.empty() ? outcomes[0] : error)) attempts[i].add();
    }
    duration.note(took);
}

}  // namespace tessera::webhooks
