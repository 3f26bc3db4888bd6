#include "metadata/webhook_rows.hpp"

#include <array>

namespace tessera::metadata {
namespace {

constexpr std::array<std::string_view, 3> state_names{"pending", "delivered", "failed"};

}  // namespace

std::string_view to_string(DeliveryState state) {
    return state_names[static_cast<std::size_t>(state)];
}

std::optional<DeliveryState> delivery_state_from_string(std::string_view name) {
    for (std::size_t i = 0; i < state_names.size(); ++i) {
        if (state_names[i] == name) return static_cast<DeliveryState>(i);
    }
    return std::nullopt;
}

std::string joined_events(const std::vector<std::string>& events) {
    std::string text;
    for (const std::string& event : events) (text += text.empty() ? "" : ",") += event;
    return text;
}

std::vector<std::string> split_events(std::string_view text) {
    std::vector<std::string> events;
    for (std::size_t end = 0; !text.empty(); text.remove_prefix(std::min(end + 1, text.size()))) {
        end = std::min(text.find(','), text.size());
        events.emplace_back(text.substr(0, end));
    }
    return events;
}

Act webhook_act(std::string_view action, const WebhookEndpoint& endpoint) {
    Act act{action, endpoint.account_id, endpoint.id.to_string()};
    if (action == "webhook.add") act.details = act_details({{"events", joined_events(endpoint.events)}});
    if (action == "webhook.disable") act.details = act_details({{"reason", endpoint.disabled_reason}});
    return act;
}

}  // namespace tessera::metadata
