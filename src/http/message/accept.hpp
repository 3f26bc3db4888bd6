// Which media types a client asks for (RFC 9110, 12.5.1).
#pragma once

#include <span>
#include <string_view>

#include "http/message/request.hpp"

namespace tessera::http {

// Whether `Accept` names application/problem+json, and prefers it to no less than application/json. A wildcard asks for
// neither: clients that send one have always got JSON.
bool accepts_problem_details(std::span<const HeaderView> headers);

// Whether `Accept` names text/html, as that of a browser does that goes to an address. A wildcard does not name it:
// scripts, pictures and programs send one.
bool accepts_html(std::span<const HeaderView> headers);

// Whether `Accept` names application/openmetrics-text, of the version that we write or of any, and prefers it to no
// less than text/plain.
bool accepts_open_metrics(std::span<const HeaderView> headers);

// Whether `Accept` names application/ld+json, with any profile. A wildcard does not name it.
bool accepts_json_ld(std::span<const HeaderView> headers);

// Whether `Accept-Encoding` names this coding.
bool accepts_encoding(std::span<const HeaderView> headers, std::string_view coding);

}  // namespace tessera::http
