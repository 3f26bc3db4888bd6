// Schemas of the operators' interface.
#include <string_view>

#include "http/operators/openapi.hpp"

namespace tessera::http {
namespace {

constexpr std::string_view schemas = R"json({
"SignIn": {
  "type": "object", "required": ["name", "password"],
  "properties": {
    "name": {"type": "string"},
    "password": {"type": "string"}
  }
},
"PasswordChange": {
  "type": "object", "required": ["current_password", "new_password"],
  "properties": {
    "current_password": {"type": "string"},
    "new_password": {"type": "string", "minLength": 12, "maxLength": 1024}
  }
},
"Session": {
  "type": "object", "required": ["id", "operator", "created_at", "last_used_at", "expires_at", "idle_expires_at", "address", "user_agent", "current"],
  "properties": {
    "id": {"type": "string", "format": "uuid"},
    "operator": {"type": "object", "required": ["id", "name"], "properties": {"id": {"type": "string", "format": "uuid"}, "name": {"type": "string"}}},
    "created_at": {"type": "string", "format": "date-time"},
    "last_used_at": {"type": "string", "description": "To about a minute.", "format": "date-time"},
    "expires_at": {"type": "string", "format": "date-time"},
    "idle_expires_at": {"type": "string", "description": "When it ends unless it is used.", "format": "date-time"},
    "address": {"type": "string"},
    "user_agent": {"type": "string"},
    "current": {"type": "boolean"}
  }
},
"SessionList": {
  "type": "object", "required": ["sessions"],
  "properties": {
    "sessions": {"type": "array", "items": {"$ref": "#/components/schemas/Session"}}
  }
},
"OperatorAccount": {
  "type": "object", "required": ["id", "slug", "display_name", "plan", "access_source", "state", "suspended_at", "plan_activated_at", "created_at"],
  "properties": {
    "id": {"type": "string", "format": "uuid"},
    "slug": {"type": "string"},
    "display_name": {"type": "string"},
    "plan": {"type": "string"},
    "access_source": {"type": "string"},
    "state": {"type": "string", "enum": ["active", "suspended", "being_erased", "erased"]},
    "suspended_at": {"type": ["string", "null"], "format": "date-time"},
    "plan_activated_at": {"type": "string", "format": "date-time"},
    "created_at": {"type": "string", "format": "date-time"}
  }
},
"AccountList": {
  "type": "object", "required": ["accounts", "next_cursor"],
  "properties": {
    "accounts": {"type": "array", "items": {"$ref": "#/components/schemas/OperatorAccount"}},
    "next_cursor": {"$ref": "#/components/schemas/NextCursor"}
  }
},
"NewAccount": {
  "type": "object", "required": ["slug", "display_name", "plan"],
  "properties": {
    "slug": {"type": "string", "pattern": "^[a-z0-9]([a-z0-9-]{0,62}[a-z0-9])?$"},
    "display_name": {"type": "string", "minLength": 1, "maxLength": 200},
    "plan": {"type": "string"}
  }
},
"CreditUse": {
  "type": "object", "required": ["used", "remaining", "limit"],
  "properties": {
    "used": {"type": "integer", "minimum": 0},
    "remaining": {"type": "integer", "minimum": 0},
    "limit": {"type": "integer", "minimum": 0}
  }
},
"BillingPeriod": {
  "type": "object", "required": ["starts_at", "ends_at"],
  "properties": {
    "starts_at": {"type": "string", "format": "date-time"},
    "ends_at": {"type": "string", "format": "date-time"}
  }
},
"AccountDetails": {"allOf": [{"$ref": "#/components/schemas/OperatorAccount"}, {"type": "object", "required": ["entitlements", "usage", "storage", "keys"], "properties": {"entitlements": {"type": "array", "items": {"$ref": "#/components/schemas/OperatorEntitlement"}}, "usage": {"type": "object", "required": ["period", "processing_credits", "cdn_delivery_bytes"], "properties": {"period": {"$ref": "#/components/schemas/BillingPeriod"}, "processing_credits": {"$ref": "#/components/schemas/CreditUse"}, "cdn_delivery_bytes": {"type": "integer", "minimum": 0}}}, "storage": {"type": "object", "required": ["bytes", "assets", "max_bytes", "max_assets"], "properties": {"bytes": {"type": "integer", "minimum": 0}, "assets": {"type": "integer", "minimum": 0}, "max_bytes": {"type": "integer", "minimum": 0}, "max_assets": {"type": "integer", "minimum": 0}}}, "keys": {"type": "object", "required": ["active", "total"], "properties": {"active": {"type": "integer", "minimum": 0}, "total": {"type": "integer", "minimum": 0}}}}}]},
"OperatorEntitlement": {
  "type": "object", "required": ["feature_code", "enabled", "status", "source", "provider", "add_on_code", "cancel_at_period_end"],
  "properties": {
    "feature_code": {"type": "string"},
    "enabled": {"type": "boolean"},
    "status": {"type": "string"},
    "source": {"type": "string"},
    "provider": {"type": "string"},
    "add_on_code": {"type": "string"},
    "cancel_at_period_end": {"type": "boolean"}
  }
},
"PlanChange": {"type": "object", "required": ["plan"], "properties": {"plan": {"type": "string"}}},
"EntitlementChange": {"type": "object", "required": ["enabled"], "properties": {"enabled": {"type": "boolean"}}},
"Erasure": {
  "type": "object", "required": ["confirm"],
  "properties": {
    "confirm": {"type": "string", "description": "The account's slug, once more."}
  }
},
"OperatorKey": {
  "type": "object", "required": ["id", "account", "account_id", "name", "role_code", "networks", "created_at", "expires_at", "last_used_at", "revoked_at", "state"],
  "properties": {
    "id": {"type": "string", "format": "uuid"},
    "account": {"type": "string"},
    "account_id": {"type": "string", "format": "uuid"},
    "name": {"type": "string"},
    "role_code": {"type": "string"},
    "networks": {"type": "array", "items": {"type": "string"}},
    "created_at": {"type": "string", "format": "date-time"},
    "expires_at": {"type": ["string", "null"], "format": "date-time"},
    "last_used_at": {"type": ["string", "null"], "format": "date-time"},
    "revoked_at": {"type": ["string", "null"], "format": "date-time"},
    "state": {"type": "string", "enum": ["active", "expired", "revoked"]}
  }
},
"IssuedKey": {"allOf": [{"$ref": "#/components/schemas/OperatorKey"}, {"type": "object", "required": ["api_key"], "properties": {"api_key": {"type": "string", "description": "The key itself, this once."}}}]},
"KeyList": {
  "type": "object", "required": ["keys"],
  "properties": {
    "keys": {"type": "array", "items": {"$ref": "#/components/schemas/OperatorKey"}}
  }
},
"NewKey": {
  "type": "object", "required": ["name"],
  "properties": {
    "name": {"type": "string", "minLength": 1, "maxLength": 200},
    "role_code": {"type": "string", "default": "runtime"},
    "expires_at": {"type": ["string", "null"], "format": "date-time"},
    "networks": {"type": "array", "description": "Where it may be used from; none: anywhere.", "items": {"type": "string"}}
  }
},
"OperatorPlan": {"allOf": [{"$ref": "#/components/schemas/Plan"}, {"type": "object", "required": ["accounts"], "properties": {"accounts": {"type": "integer", "description": "How many are on it.", "minimum": 0}}}]},
"OperatorPlanList": {
  "type": "object", "required": ["plans"],
  "properties": {
    "plans": {"type": "array", "items": {"$ref": "#/components/schemas/OperatorPlan"}}
  }
},
"RoleList": {
  "type": "object", "required": ["roles"],
  "properties": {
    "roles": {"type": "array", "items": {"type": "object", "required": ["code", "description", "permissions"], "properties": {"code": {"type": "string"}, "description": {"type": "string"}, "permissions": {"type": "array", "items": {"type": "string"}}}}}
  }
},
"AccountUseList": {
  "type": "object", "required": ["accounts", "next_cursor"],
  "properties": {
    "accounts": {"type": "array", "items": {"type": "object", "required": ["id", "slug", "display_name", "plan", "state", "period", "processing_credits", "cdn_delivery_bytes", "storage"], "properties": {"id": {"type": "string", "format": "uuid"}, "slug": {"type": "string"}, "display_name": {"type": "string"}, "plan": {"type": "string"}, "state": {"type": "string"}, "period": {"$ref": "#/components/schemas/BillingPeriod"}, "processing_credits": {"$ref": "#/components/schemas/CreditUse"}, "cdn_delivery_bytes": {"type": "integer", "minimum": 0}, "storage": {"type": "object", "required": ["bytes", "assets"], "properties": {"bytes": {"type": "integer", "minimum": 0}, "assets": {"type": "integer", "minimum": 0}}}}}},
    "next_cursor": {"$ref": "#/components/schemas/NextCursor"}
  }
},
"CodeCount": {
  "type": "object", "required": ["code", "count"],
  "properties": {
    "code": {"type": "string"},
    "count": {"type": "integer", "minimum": 0}
  }
},
"Node": {
  "type": "object", "required": ["name", "role", "version", "started_at", "seen_at", "alive", "this_node"], "description": "What a node says of itself. Counts are since it started.",
  "properties": {
    "name": {"type": "string"},
    "role": {"type": "string", "enum": ["api", "worker", "both"]},
    "version": {"type": "string"},
    "started_at": {"type": "string", "format": "date-time"},
    "seen_at": {"type": "string", "format": "date-time"},
    "alive": {"type": "boolean", "description": "It has said something of late."},
    "this_node": {"type": "boolean"},
    "slots": {"type": "integer", "minimum": 0},
    "jobs_in_hand": {"type": "integer", "minimum": 0},
    "engines": {"type": "object", "required": ["alive", "busy", "waiting", "crashed"], "properties": {"alive": {"type": "integer", "minimum": 0}, "busy": {"type": "integer", "minimum": 0}, "waiting": {"type": "integer", "minimum": 0}, "crashed": {"type": "integer", "minimum": 0}}},
    "folds": {"type": "object", "required": ["folded", "failed"], "properties": {"folded": {"type": "integer", "minimum": 0}, "failed": {"type": "integer", "minimum": 0}}},
    "rates": {"type": "object", "required": ["requests_per_second", "jobs_per_minute", "failures_per_minute"], "properties": {"requests_per_second": {"type": "number", "minimum": 0}, "jobs_per_minute": {"type": "number", "minimum": 0}, "failures_per_minute": {"type": "number", "minimum": 0}}},
    "disks": {"type": "array", "items": {"type": "object", "required": ["folder", "free_bytes", "size_bytes"], "properties": {"folder": {"type": "string"}, "free_bytes": {"type": "integer", "minimum": 0}, "size_bytes": {"type": "integer", "minimum": 0}}}},
    "errors": {"type": "array", "items": {"$ref": "#/components/schemas/CodeCount"}},
    "job_errors": {"type": "array", "items": {"$ref": "#/components/schemas/CodeCount"}}
  }
},
"Overview": {
  "type": "object", "required": ["version", "at", "database", "blobs", "queue", "nodes", "storage", "today", "webhooks", "accounts"],
  "properties": {
    "version": {"type": "string"},
    "at": {"type": "string", "format": "date-time"},
    "database": {"type": "string", "enum": ["sqlite", "postgresql"]},
    "blobs": {"type": "string", "enum": ["file", "s3"]},
    "queue": {"type": "object", "required": ["queued", "running", "blocked", "oldest_seconds", "operations"], "properties": {"queued": {"type": "integer", "minimum": 0}, "running": {"type": "integer", "minimum": 0}, "blocked": {"type": "integer", "description": "Those that wait for a retry, or for an earlier job on their tileset.", "minimum": 0}, "oldest_seconds": {"type": ["number", "null"], "minimum": 0}, "operations": {"type": "array", "items": {"type": "object", "required": ["operation", "queued", "running", "oldest_seconds"], "properties": {"operation": {"type": "string"}, "queued": {"type": "integer", "minimum": 0}, "running": {"type": "integer", "minimum": 0}, "oldest_seconds": {"type": ["number", "null"], "minimum": 0}}}}}},
    "nodes": {"type": "array", "items": {"$ref": "#/components/schemas/Node"}},
    "storage": {"type": "object", "required": ["bytes", "assets"], "properties": {"bytes": {"type": "integer", "minimum": 0}, "assets": {"type": "integer", "minimum": 0}}},
    "today": {"$ref": "#/components/schemas/UsageSums"},
    "webhooks": {"type": "object", "required": ["pending", "oldest_seconds", "active_endpoints", "disabled_endpoints"], "properties": {"pending": {"type": "integer", "minimum": 0}, "oldest_seconds": {"type": ["number", "null"], "minimum": 0}, "active_endpoints": {"type": "integer", "minimum": 0}, "disabled_endpoints": {"type": "integer", "minimum": 0}}},
    "accounts": {"type": "object", "required": ["active", "suspended", "being_erased"], "properties": {"active": {"type": "integer", "minimum": 0}, "suspended": {"type": "integer", "minimum": 0}, "being_erased": {"type": "integer", "minimum": 0}}}
  }
},
"Endpoint": {
  "type": "object", "required": ["id", "account", "account_id", "url", "description", "events", "status", "disabled_reason", "disabled_at", "created_at", "failures", "failing_since", "paused_until", "previous_secret_until"],
  "properties": {
    "id": {"type": "string", "format": "uuid"},
    "account": {"type": "string"},
    "account_id": {"type": "string", "format": "uuid"},
    "url": {"type": "string"},
    "description": {"type": "string"},
    "events": {"type": "array", "items": {"type": "string"}},
    "status": {"type": "string", "enum": ["active", "disabled"]},
    "disabled_reason": {"type": ["string", "null"]},
    "disabled_at": {"type": ["string", "null"], "format": "date-time"},
    "created_at": {"type": "string", "format": "date-time"},
    "failures": {"type": "integer", "minimum": 0},
    "failing_since": {"type": ["string", "null"], "format": "date-time"},
    "paused_until": {"type": ["string", "null"], "format": "date-time"},
    "previous_secret_until": {"type": ["string", "null"], "format": "date-time"}
  }
},
"EndpointList": {
  "type": "object", "required": ["endpoints"],
  "properties": {
    "endpoints": {"type": "array", "items": {"$ref": "#/components/schemas/Endpoint"}}
  }
},
"Delivery": {
  "type": "object", "required": ["id", "endpoint_id", "account_id", "job_id", "type", "created_at", "state", "attempts", "next_attempt_at", "last_status", "last_error", "last_attempt_at", "ended_at"],
  "properties": {
    "id": {"type": "string", "format": "uuid"},
    "endpoint_id": {"type": "string", "format": "uuid"},
    "account_id": {"type": "string", "format": "uuid"},
    "job_id": {"type": ["string", "null"], "format": "uuid"},
    "type": {"type": "string"},
    "created_at": {"type": "string", "format": "date-time"},
    "state": {"type": "string", "enum": ["pending", "delivered", "failed"]},
    "attempts": {"type": "integer", "minimum": 0},
    "next_attempt_at": {"type": ["string", "null"], "format": "date-time"},
    "last_status": {"type": ["integer", "null"]},
    "last_error": {"type": ["string", "null"]},
    "last_attempt_at": {"type": ["string", "null"], "format": "date-time"},
    "ended_at": {"type": ["string", "null"], "format": "date-time"}
  }
},
"DeliveryList": {
  "type": "object", "required": ["deliveries", "next_cursor"],
  "properties": {
    "deliveries": {"type": "array", "items": {"$ref": "#/components/schemas/Delivery"}},
    "next_cursor": {"$ref": "#/components/schemas/NextCursor"}
  }
},
"DeliveryWithLog": {"allOf": [{"$ref": "#/components/schemas/Delivery"}, {"type": "object", "required": ["body", "log"], "properties": {"body": {"type": ["string", "null"]}, "log": {"type": "array", "items": {"type": "object", "required": ["attempt", "at", "duration_ms", "status", "error", "response"], "properties": {"attempt": {"type": "integer", "minimum": 0}, "at": {"type": "string", "format": "date-time"}, "duration_ms": {"type": "integer", "minimum": 0}, "status": {"type": ["integer", "null"]}, "error": {"type": ["string", "null"]}, "response": {"type": "string"}}}}}}]},
"AuditPage": {
  "type": "object", "required": ["entries", "next_cursor"],
  "properties": {
    "entries": {"type": "array", "items": {"type": "object", "required": ["sequence", "at", "actor", "action", "account", "account_id", "subject", "details"], "properties": {"sequence": {"type": "integer", "minimum": 0}, "at": {"type": "string", "format": "date-time"}, "actor": {"type": "string"}, "action": {"type": "string"}, "account": {"type": ["string", "null"]}, "account_id": {"type": ["string", "null"], "format": "uuid"}, "subject": {"type": ["string", "null"]}, "details": {"type": "object"}}}},
    "next_cursor": {"$ref": "#/components/schemas/NextCursor"}
  }
},
"Configuration": {
  "type": "object", "required": ["settings"],
  "properties": {
    "settings": {"type": "array", "items": {"type": "object", "required": ["key", "section", "value", "default", "origin", "secret", "description"], "properties": {"key": {"type": "string"}, "section": {"type": "string"}, "value": {"type": "string"}, "default": {"type": "string"}, "origin": {"type": "string", "description": "Where the value came from."}, "secret": {"type": "boolean", "description": "The value is not shown."}, "description": {"type": "string"}}}}
  }
}
})json";

}  // namespace

std::string operator_schemas() {
    return std::string(schemas);
}

}  // namespace tessera::http
