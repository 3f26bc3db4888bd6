// The body of a job request and its idempotency key, checked for shape. What the options mean is the operation's.
#pragma once

#include <boost/json/value.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/hash.hpp"
#include "core/result.hpp"
#include "core/uuid.hpp"

namespace tessera::operations {
class Registry;
struct NormalizedRequest;
}  // namespace tessera::operations

namespace tessera::service {

struct JobRequest {
    std::string operation;
    std::optional<Uuid> asset_id;
    boost::json::object options;
};

Result<JobRequest> parse_job_request(std::string_view body, const operations::Registry& registry);

Result<void> check_idempotency_key(std::string_view key);

// Two requests with the same fingerprint ask for the same work, however they were spelled.
Digest fingerprint_of(const operations::NormalizedRequest& request);

// Every asset that the request names, at any depth, each once.
std::vector<Uuid> assets_named_in(const JobRequest& request);

}  // namespace tessera::service
