// The body of a job request and its idempotency key: what the client asked for, and what makes two requests the same.
// What the options mean is the operation's.
#pragma once

#include <string_view>

#include "core/hash.hpp"
#include "core/result.hpp"

namespace tessera::operations {
class Registry;
struct NormalizedRequest;
}  // namespace tessera::operations
namespace tessera {
struct Job;
}

namespace tessera::service {

Result<operations::NormalizedRequest> parse_job_request(std::string_view body, const operations::Registry& registry);

// What check_idempotency_key lets through, as a regular expression.
inline constexpr std::string_view idempotency_key_pattern = "^[A-Za-z0-9._:-]{8,128}$";
Result<void> check_idempotency_key(std::string_view key);

// Two requests with the same fingerprint ask for the same work, however they were spelled.
Digest fingerprint_of(const operations::NormalizedRequest& request);

// Whether the request is the one that made `job` and left `fingerprint` with its idempotency key.
bool is_the_same(const operations::NormalizedRequest& request, const Digest& fingerprint, const Job& job);

}  // namespace tessera::service
