#include "http/api/openapi_webhooks.hpp"

#include <boost/json/array.hpp>
#include <string>
#include <utility>

namespace tessera::http {
namespace json = boost::json;
namespace {

json::object header(const char* name, json::object schema, const char* description) {
    return {{"name", name},
            {"in", "header"},
            {"required", true},
            {"description", description},
            {"schema", std::move(schema)}};
}

json::array headers() {
    return {header("webhook-id", {{"type", "string"}, {"format", "uuid"}},
                   "The message's own: the same over all attempts at it."),
            header("webhook-timestamp", {{"type", "string"}, {"pattern", "^[0-9]+$"}},
                   "When this attempt was made, in Unix time."),
            header("webhook-signature", {{"type", "string"}, {"pattern", "^v1,\\S+( v1,\\S+)?$"}},
                   "HMAC-SHA256 over `id.timestamp.body`, in base64 after `v1,`; two while a secret is rotated.")};
}

json::object body(const char* event) {
    const json::object job{{"$ref", "#/components/schemas/Job"},
                           {"description",
                            "The job, with no signed addresses in it; `options` of more than 8 KiB are an empty "
                            "object."}};
    const json::object schema{
        {"type", "object"},
        {"required", json::array{"type", "timestamp", "data"}},
        {"properties", json::object{{"type", json::object{{"type", "string"}, {"const", event}}},
                                    {"timestamp", json::object{{"type", "string"}, {"format", "date-time"}}},
                                    {"data", job}}}};
    return {{"required", true}, {"content", json::object{{"application/json", json::object{{"schema", schema}}}}}};
}

json::object message(const char* event, const char* operation_id, const char* summary) {
    return {{"post",
             json::object{
                 {"operationId", operation_id},
                 {"summary", summary},
                 {"description",
                  "By the Standard Webhooks specification, to the endpoints that an administrator has named."},
                 {"security", json::array()},
                 {"parameters", headers()},
                 {"requestBody", body(event)},
                 {"responses",
                  json::object{{"2XX", json::object{{"description", "Delivered"}}},
                               {"410", json::object{{"description", "The endpoint wants no more: it is switched off"}}},
                               {"default", json::object{{"description", "Sent again later, ten times in all"}}}}}}}};
}

}  // namespace

json::object openapi_webhooks() {
    return {{"job.succeeded", message("job.succeeded", "jobSucceeded", "A job succeeded")},
            {"job.failed", message("job.failed", "jobFailed", "A job failed for good")}};
}

}  // namespace tessera::http
