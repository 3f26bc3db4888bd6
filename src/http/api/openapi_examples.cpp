#include "http/api/openapi_examples.hpp"

#include <boost/json/parse.hpp>
#include <string_view>

namespace tessera::http {
namespace json = boost::json;
namespace {

// Empty: an error that an operation says, and the operation, options and metadata of a job. They are put in below.
constexpr std::string_view examples = R"json({
"Error": {
  "error": "",
  "code": "invalid_option",
  "request_id": "6f1c2b34-5a0e-4a57-9d7c-1f0e5b8a2c11",
  "hint": "correct the option that the error names; /openapi.json has the options of every operation"
},
"ProblemDetails": {
  "type": "/problems/job_not_found",
  "title": "the account has no such job, or it was removed long after it ended",
  "status": 404,
  "detail": "job not found",
  "code": "job_not_found",
  "request_id": "6f1c2b34-5a0e-4a57-9d7c-1f0e5b8a2c11",
  "hint": "check the id, and that the key is one of the account that submitted the job"
},
"PlanList": {
  "plans": [{
    "code": "starter",
    "display_name": "Starter",
    "description": "For small sites",
    "status": "active",
    "is_public": true,
    "billing_amount_minor": 900,
    "billing_interval": "monthly",
    "included_processing_credits": 1000,
    "limits": {"max_upload_bytes": 20971520, "max_in_flight_jobs": 20}
  }]
},
"AccountContext": {
  "account": {"id": "0b6f7a52-8d3e-4c1b-9a44-7c7d0f6e2a10", "slug": "acme", "display_name": "Acme"},
  "subject_type": "api_key",
  "api_key": {"id": "5f0c9d0e-2f5b-4b7e-8a57-3f1d1b2c4e66", "name": "site", "role_code": "runtime"},
  "permissions": ["account:read", "jobs:read", "jobs:write"],
  "plan": {"code": "starter", "display_name": "Starter", "status": "active", "access_source": "admin"},
  "quotas": {"processing_credits_monthly": {"limit": 1000, "interval_seconds": 2592000}},
  "effective_limits": {
    "grid_megapixels": 100, "tile_estimate": 20000, "storage_estimate_bytes": 1073741824, "processing_credits": 1000
  },
  "usage": {
    "processing_credits": {"used": 12, "remaining": 988, "limit": 1000},
    "cdn_delivery_bytes": {"used": 0}
  },
  "features": {"cdn_delivery": true},
  "entitlements": {
    "cdn_delivery": {
      "enabled": true, "feature_code": "cdn_delivery", "status": "active", "source": "admin", "provider": "tessera",
      "add_on_code": "", "cancel_at_period_end": false
    }
  }
},
"Asset": {
  "id": "2c1a8f66-0d52-4e8b-9f38-6c0a5f1f7b01",
  "account_id": "0b6f7a52-8d3e-4c1b-9a44-7c7d0f6e2a10",
  "source_type": "upload",
  "status": "ready",
  "original_filename": "harbour.jpg",
  "content_type": "image/jpeg",
  "checksum_sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
  "byte_size": 2483011,
  "width": 4000,
  "height": 3000,
  "storage_key": "assets/2c/2c1a8f66-0d52-4e8b-9f38-6c0a5f1f7b01",
  "created_at": "2026-03-01T09:30:00.000Z"
},
"Job": {
  "id": "7d0a6f0c-4a1e-4d9b-8b39-52b5d8f7c302",
  "asset_id": "2c1a8f66-0d52-4e8b-9f38-6c0a5f1f7b01",
  "operation": "",
  "status": "succeeded",
  "options": {},
  "result": {},
  "queued_at": "2026-03-01T09:30:01.000Z",
  "started_at": "2026-03-01T09:30:01.020Z",
  "completed_at": "2026-03-01T09:30:01.700Z",
  "updated_at": "2026-03-01T09:30:01.700Z",
  "attempt_count": 1,
  "max_attempts": 3,
  "artifacts": [{
    "id": "c5e5b3d7-1a0f-4f5d-8f0a-9be3d4a1e603",
    "kind": "primary",
    "content_type": "image/webp",
    "byte_size": 401220,
    "width": 4000,
    "height": 3000,
    "checksum_sha256": "2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae",
    "metadata": {},
    "created_at": "2026-03-01T09:30:01.690Z"
  }]
},
"ArtifactWithDownload": {
  "download_url": "https://images.example.org/v1/artifacts/c5e5b3d7-1a0f-4f5d-8f0a-9be3d4a1e603/download?expires=1772358300&sig=e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
  "download_expires_at": "2026-03-01T09:45:00.000Z"
}
})json";

}  // namespace

json::object openapi_examples(const OpenApiOptions& options) {
    json::object made = json::parse(examples).as_object();
    if (!options.refusal_example.empty()) made.at("Error").at("error") = options.refusal_example;
    if (const auto& shown = options.job_example) {
        json::value& job = made.at("Job");
        job.at("operation") = shown->operation;
        job.at("options") = json::parse(shown->options);
        job.at("artifacts").at(0).at("metadata") = json::parse(shown->metadata);
    }
    // The same artifact, with where to download it.
    json::object artifact = made.at("Job").at("artifacts").at(0).as_object();
    for (const auto& field : made.at("ArtifactWithDownload").as_object()) artifact.insert(field);
    made.at("ArtifactWithDownload") = std::move(artifact);
    return made;
}

}  // namespace tessera::http
