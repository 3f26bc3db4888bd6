// Every refusal that a client can be told, with its HTTP status: the service's errors and the protocol's own.
#pragma once

#include <cstddef>
#include <span>

#include "core/error.hpp"

namespace tessera::http {

// What only HTTP can refuse. Used as an ErrorCode.
struct ProtocolError {
    static const ErrorKind head_too_large;
    static const ErrorKind target_too_long;
    static const ErrorKind body_too_large;
    static const ErrorKind request_timeout;
    static const ErrorKind expectation_failed;
    static const ErrorKind range_not_satisfiable;
    static const ErrorKind method_not_allowed;
};

// What only the operators' interface refuses.
struct ConsoleError {
    static const ErrorKind invalid_credentials;
    static const ErrorKind not_signed_in;
    static const ErrorKind cross_site_request;
};

struct Problem {
    ErrorCode code;
    int status;
};

// In the order of the docs.
std::span<const Problem> problems();
// The place of a code in that list; of one that is not in it, the place of `internal_error`.
std::size_t place_of(ErrorCode code);
int status_of(ErrorCode code);

inline constexpr std::size_t problem_count = 48;

}  // namespace tessera::http
