// Sends one batch to the operator's receiver: POST, no redirects, bounded in time and in what is read of the answer.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "core/clock.hpp"
#include "telemetry/config.hpp"

namespace tessera::telemetry {

struct Answer {
    std::optional<int> status;  // none: there was no answer
    std::string retry_after;    // the header, as it came
    std::string body;           // how it began
    std::string detail;         // why there was none, for the log
};

enum class Fate {
    sent,
    again,    // it may be taken later
    refused,  // it never will be
};
// By OTLP's rules.
Fate fate_of(const Answer& answer);
// Until the next attempt, as the receiver wants it: seconds or a date. No longer than `longest`.
std::optional<Millis> wanted_pause(std::string_view retry_after, Timestamp now, Millis longest);

// Gives `body` to the receiver; `give_up` is asked now and then whether to.
using Send = std::function<Answer(const std::string& body, Millis timeout, const std::function<bool()>& give_up)>;
Send otlp_sender(const TracesConfig& config, std::string_view version);

std::string gzipped(std::string_view text);

}  // namespace tessera::telemetry
