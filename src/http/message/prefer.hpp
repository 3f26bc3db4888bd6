// The preferences of a request (RFC 7240). One that is not understood is passed over: it is a wish, not a condition.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "http/message/request.hpp"

namespace tessera::http {

inline constexpr std::chrono::seconds longest_preferred_wait{60};

// How long the client would wait for the outcome, of what it says first; no longer than the longest.
std::optional<std::chrono::seconds> preferred_wait(const Request& request);

// Whether the client would know where its request's time went (`server-timing`).
bool prefers_timing(const Request& request);

// The value of Preference-Applied.
std::string wait_applied(std::chrono::seconds wait);

}  // namespace tessera::http
