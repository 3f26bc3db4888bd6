#include "http/api/openapi_schemas.hpp"

#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>
#include <string_view>

#include "core/colour.hpp"
#include "core/job.hpp"
#include "core/plan.hpp"
#include "http/api/openapi_examples.hpp"
#include "http/api/openapi_jobs.hpp"
#include "http/api/openapi_lists.hpp"
#include "http/api/openapi_pictures.hpp"
#include "http/message/problems.hpp"

namespace tessera::http {
namespace {

namespace json = boost::json;

// Objects that are the same whatever is configured. Those that follow from tables of ours are added below.
constexpr std::string_view fixed_schemas = R"json({
"Error": {
  "type": "object",
  "description": "What went wrong. The status says it first, `code` says it to programs, `error` and `hint` to people.",
  "required": ["error", "code", "request_id", "hint"],
  "properties": {
    "error": {"type": "string", "description": "What happened, in short."},
    "code": {"$ref": "#/components/schemas/ErrorCode"},
    "request_id": {"type": "string", "description": "Also in the X-Request-ID header."},
    "hint": {"type": "string", "description": "The rule, and what to do. For people; the wording may change."},
    "limit": {"$ref": "#/components/schemas/LimitMet"}
  }
},
"ProblemDetails": {
  "type": "object",
  "description": "The same as problem details (RFC 9457), where `Accept` asks for `application/problem+json`.",
  "required": ["type", "title", "status", "detail", "code", "request_id", "hint"],
  "properties": {
    "type": {"type": "string", "format": "uri-reference", "description": "A page that explains the code."},
    "title": {"type": "string", "description": "What the code means."},
    "status": {"type": "integer", "minimum": 400, "maximum": 599},
    "detail": {"type": "string", "description": "What happened, in short."},
    "code": {"$ref": "#/components/schemas/ErrorCode"},
    "request_id": {"type": "string", "description": "Also in the X-Request-ID header."},
    "hint": {"type": "string", "description": "The rule, and what to do. For people; the wording may change."},
    "limit": {"$ref": "#/components/schemas/LimitMet"}
  }
},
"LimitMet": {
  "type": "object",
  "description": "The limit that the request met, in numbers.",
  "required": ["name", "unit", "allowed"],
  "properties": {
    "name": {"type": "string", "description": "As the plan calls it (`max_output_megapixels`), or the service's configuration (`limits.max_output_megapixels`)."},
    "unit": {"type": "string", "description": "Of the numbers."},
    "allowed": {"type": "integer"},
    "asked": {"type": "integer", "description": "What the request needs, where that is known."},
    "left": {"type": "integer", "description": "What is left of what is allowed, where it is used up in time."},
    "resets_at": {"type": "string", "format": "date-time", "description": "When all of it is there again."}
  }
},
"OpenApi": {"type": "object", "required": ["openapi", "info", "paths"], "properties": {"openapi": {"type": "string"}, "info": {"type": "object"}, "servers": {"type": "array"}, "tags": {"type": "array"}, "paths": {"type": "object"}, "webhooks": {"type": "object"}, "components": {"type": "object"}}},
"Health": {"type": "object", "required": ["status"], "properties": {"status": {"type": "string", "const": "ok"}}},
"Readiness": {
  "type": "object",
  "required": ["status", "checks"],
  "properties": {
    "status": {"type": "string", "enum": ["ready", "unavailable"]},
    "reason": {"type": "string"},
    "checks": {"type": "object", "additionalProperties": {"type": "string", "enum": ["ok", "failed"]}}
  }
},
"PlanList": {
  "type": "object",
  "required": ["plans"],
  "properties": {"plans": {"type": "array", "items": {"$ref": "#/components/schemas/Plan"}}}
},
"Plan": {
  "type": "object",
  "required": ["code", "display_name", "description", "status", "is_public", "billing_amount_minor", "billing_interval",
               "included_processing_credits", "limits"],
  "properties": {
    "code": {"type": "string"},
    "display_name": {"type": "string"},
    "description": {"type": "string"},
    "status": {"type": "string"},
    "is_public": {"type": "boolean"},
    "billing_amount_minor": {"type": "integer", "description": "In minor units of the currency."},
    "billing_interval": {"type": "string"},
    "included_processing_credits": {"type": "integer", "description": "Allowance for a billing period."},
    "limits": {"$ref": "#/components/schemas/PlanLimits"}
  }
},
"AccountContext": {
  "type": "object",
  "required": ["account", "subject_type", "api_key", "permissions", "plan", "quotas", "effective_limits", "usage", "features",
               "entitlements"],
  "properties": {
    "account": {
      "type": "object",
      "required": ["id", "slug", "display_name"],
      "properties": {
        "id": {"type": "string", "format": "uuid"},
        "slug": {"type": "string"},
        "display_name": {"type": "string"}
      }
    },
    "subject_type": {"type": "string", "const": "api_key"},
    "api_key": {
      "type": "object",
      "required": ["id", "name", "role_code"],
      "properties": {
        "id": {"type": "string", "format": "uuid"},
        "name": {"type": "string"},
        "role_code": {"type": "string"}
      }
    },
    "permissions": {"type": "array", "items": {"type": "string"}},
    "plan": {
      "type": "object",
      "required": ["code", "display_name", "status", "access_source"],
      "properties": {
        "code": {"type": "string"},
        "display_name": {"type": "string"},
        "status": {"type": "string"},
        "access_source": {"type": "string"}
      }
    },
    "quotas": {
      "type": "object",
      "additionalProperties": {
        "type": "object",
        "required": ["limit"],
        "properties": {"limit": {"type": "integer"}, "interval_seconds": {"type": "integer"}}
      }
    },
    "effective_limits": {
      "type": "object",
      "required": ["grid_megapixels", "tile_estimate", "storage_estimate_bytes", "processing_credits"],
      "properties": {
        "grid_megapixels": {"type": "integer"},
        "tile_estimate": {"type": "integer"},
        "storage_estimate_bytes": {"type": "integer"},
        "processing_credits": {"type": "integer"}
      }
    },
    "usage": {
      "type": "object",
      "required": ["processing_credits", "cdn_delivery_bytes"],
      "properties": {
        "processing_credits": {
          "type": "object",
          "required": ["used", "remaining", "limit"],
          "properties": {
            "used": {"type": "integer"},
            "remaining": {"type": "integer"},
            "limit": {"type": "integer"}
          }
        },
        "cdn_delivery_bytes": {"type": "object", "required": ["used"], "properties": {"used": {"type": "integer"}}}
      }
    },
    "features": {"type": "object", "additionalProperties": {"type": "boolean"}},
    "entitlements": {"type": "object", "additionalProperties": {"$ref": "#/components/schemas/Entitlement"}}
  }
},
"Entitlement": {
  "type": "object",
  "required": ["enabled", "feature_code", "status", "source", "provider", "add_on_code", "cancel_at_period_end"],
  "properties": {
    "enabled": {"type": "boolean"},
    "feature_code": {"type": "string"},
    "status": {"type": "string"},
    "source": {"type": "string"},
    "provider": {"type": "string"},
    "add_on_code": {"type": "string"},
    "cancel_at_period_end": {"type": "boolean"}
  }
},
"AssetUpload": {
  "type": "object",
  "required": ["file"],
  "properties": {
    "file": {"type": "string", "format": "binary", "description": "A jpeg, png, webp, gif, avif, heif or jxl image."}
  }
},
"Asset": {
  "type": "object",
  "required": ["id", "account_id", "source_type", "status", "original_filename", "content_type", "checksum_sha256", "byte_size",
               "width", "height", "storage_key", "created_at"],
  "properties": {
    "id": {"type": "string", "format": "uuid"},
    "account_id": {"type": "string", "format": "uuid"},
    "source_type": {"type": "string", "const": "upload"},
    "status": {"type": "string", "const": "ready"},
    "original_filename": {"type": "string"},
    "content_type": {"type": "string"},
    "checksum_sha256": {"type": "string", "pattern": "^[0-9a-f]{64}$"},
    "byte_size": {"type": "integer"},
    "width": {"type": "integer", "description": "As displayed, in pixels."},
    "height": {"type": "integer", "description": "As displayed, in pixels."},
    "storage_key": {"type": "string"},
    "created_at": {"type": "string", "format": "date-time"}
  }
},
"Job": {
  "type": "object",
  "required": ["id", "operation", "status", "options", "result", "queued_at", "updated_at", "attempt_count", "max_attempts",
               "artifacts"],
  "properties": {
    "id": {"type": "string", "format": "uuid"},
    "asset_id": {"type": "string", "format": "uuid", "description": "Absent where the operation needs no asset."},
    "operation": {"$ref": "#/components/schemas/OperationName"},
    "status": {"$ref": "#/components/schemas/JobStatus"},
    "options": {"type": "object", "description": "As accepted, with defaults filled in."},
    "result": {"$ref": "#/components/schemas/JobResult"},
    "progress": {"type": "number", "minimum": 0, "maximum": 1, "description": "While the job is running."},
    "queued_at": {"type": "string", "format": "date-time"},
    "started_at": {"type": "string", "format": "date-time"},
    "completed_at": {"type": "string", "format": "date-time"},
    "updated_at": {"type": "string", "format": "date-time"},
    "attempt_count": {"type": "integer", "minimum": 0},
    "max_attempts": {"type": "integer", "minimum": 1},
    "artifacts": {"type": "array", "items": {"$ref": "#/components/schemas/Artifact"}},
    "error_code": {"$ref": "#/components/schemas/JobErrorCode"},
    "error_message": {"type": "string", "description": "Only on failed jobs."}
  }
},
"JobResult": {
  "type": "object",
  "description": "Empty until there is a result.",
  "properties": {
    "tileset_id": {"type": "string", "format": "uuid"},
    "version": {"type": "integer", "minimum": 1},
    "format": {"type": "string"},
    "public_tile_url_template": {"type": "string", "description": "With the literal placeholders {z}, {x} and {y}. Absent once that version is gone."},
    "tile_url_template": {"type": "string", "description": "The same template."}
  }
},
"Artifact": {
  "type": "object",
  "required": ["id", "kind", "content_type", "byte_size", "width", "height", "checksum_sha256", "metadata", "created_at"],
  "properties": {
    "id": {"type": "string", "format": "uuid"},
    "kind": {"type": "string"},
    "content_type": {"type": "string"},
    "byte_size": {"type": "integer"},
    "width": {"type": "integer"},
    "height": {"type": "integer"},
    "checksum_sha256": {"type": "string", "pattern": "^[0-9a-f]{64}$"},
    "metadata": {"type": "object"},
    "created_at": {"type": "string", "format": "date-time"}
  }
},
"ArtifactWithDownload": {
  "allOf": [
    {"$ref": "#/components/schemas/Artifact"},
    {
      "type": "object",
      "required": ["download_url", "download_expires_at"],
      "properties": {
        "download_url": {"type": "string", "format": "uri", "description": "Signed; to be used unchanged."},
        "download_expires_at": {"type": "string", "format": "date-time"}
      }
    }
  ]
}
})json";

json::object plan_limits() {
    json::object properties;
    for (const PlanLimitField& field : plan_limit_fields()) {
        properties[field.name] =
            json::object{{"type", "integer"}, {"description", "In " + std::string(field.unit) + "."}};
    }
    return {{"type", "object"},
            {"description", "Hard caps; a cap that is not set is absent."},
            {"additionalProperties", false},
            {"properties", std::move(properties)}};
}

json::object job_status() {
    json::array names;
    for (const JobStatus status : {JobStatus::queued, JobStatus::running, JobStatus::succeeded, JobStatus::failed}) {
        names.emplace_back(to_string(status));
    }
    return {{"type", "string"}, {"enum", std::move(names)}};
}

json::object colour() {
    json::array names{"transparent"};
    for (const NamedColour& named : named_colours()) names.emplace_back(named.name);
    return {{"type", "string"},
            {"description", "#rgb, #rgba, #rrggbb or #rrggbbaa, or a name that CSS has. Names may be in any case."},
            {"oneOf", json::array{json::object{{"type", "string"},
                                               {"pattern", "^(#[0-9A-Fa-f]{3,4}|#[0-9A-Fa-f]{6}|#[0-9A-Fa-f]{8})$"}},
                                  json::object{{"type", "string"}, {"enum", std::move(names)}}}},
            {"examples", json::array{"#1e90ff", "#ffffff80", "navy"}}};
}

json::object error_code() {
    json::array names;
    std::string meanings = "For programs; stable.";
    for (const Problem& problem : problems()) {
        const ErrorKind& kind = problem.code.kind();
        names.emplace_back(kind.name);
        meanings.append("\n- `").append(kind.name).append("`: ").append(kind.meaning);
    }
    return {{"type", "string"}, {"description", meanings}, {"enum", std::move(names)}};
}

json::object job_error_code() {
    json::array names;
    std::string meanings = "Only on failed jobs.";
    for (const JobErrorKind& kind : job_error_kinds()) {
        names.emplace_back(kind.name);
        meanings.append("\n- `").append(kind.name).append("`: ").append(kind.meaning);
    }
    return {{"type", "string"}, {"description", meanings}, {"enum", std::move(names)}};
}

// Examples of what the API speaks, which the tests hold against the schemas.
void add_examples(json::object& schemas, const OpenApiOptions& options) {
    for (auto& example : openapi_examples(options)) {
        schemas.at(example.key()).as_object()["examples"] = json::array{std::move(example.value())};
    }
}

}  // namespace

json::object openapi_schemas(const OpenApiOptions& options) {
    json::object schemas = json::parse(fixed_schemas).as_object();
    schemas["PlanLimits"] = plan_limits();
    schemas["JobStatus"] = job_status();
    schemas["Colour"] = colour();
    schemas["ErrorCode"] = error_code();
    schemas["JobErrorCode"] = job_error_code();
    add_operations(schemas, options);
    add_list_schemas(schemas);
    add_picture_schemas(schemas);
    add_examples(schemas, options);
    return schemas;
}

}  // namespace tessera::http
