#include "service/jobs/job_request.hpp"

#include <algorithm>
#include <array>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include "core/job.hpp"
#include "operations/registry.hpp"
#include "operations/suggestion.hpp"
#include "service/jobs/strict_json.hpp"

namespace tessera::service {
namespace {

namespace json = boost::json;
using operations::NormalizedRequest;

Error invalid_request(std::string message) {
    return {ErrorCode::invalid_request, std::move(message), {}};
}

constexpr std::array<std::string_view, 3> fields_of_a_request{"asset_id", "operation", "options"};

// An option that stands beside `options` is a common mistake.
Error unknown_field(std::string_view name, const operations::Operation& operation) {
    const std::string quoted = "'" + operations::shortened(name) + "'";
    Error error = invalid_request("unknown field " + quoted);
    const auto options = operation.options().rows();
    if (std::ranges::any_of(options, [&](const operations::Option& option) { return option.name == name; })) {
        return std::move(error).with_hint(quoted + " is an option: put it inside options");
    }
    if (const auto near = operations::nearest(name, fields_of_a_request)) {
        return std::move(error).with_hint("did you mean '" + std::string(*near) + "'?");
    }
    return std::move(error).with_hint("a job request has asset_id, operation and options");
}

Result<void> refuse_unknown_fields(const json::object& body, const operations::Operation& operation) {
    for (const auto& field : body) {
        const std::string_view name = field.key();
        if (std::ranges::find(fields_of_a_request, name) == fields_of_a_request.end()) {
            return unknown_field(name, operation);
        }
    }
    return {};
}

Result<std::optional<Uuid>> asset_id_of(const json::object& body) {
    const json::value* given = body.if_contains("asset_id");
    if (given == nullptr) return std::optional<Uuid>();
    const json::string* text = given->if_string();
    const auto id = text != nullptr ? Uuid::parse({text->data(), text->size()}) : std::nullopt;
    if (!id) return Error{ErrorCode::invalid_id, "asset_id must be a valid uuid", {}};
    return id;
}

bool allowed_in_key(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '_' ||
           c == ':' || c == '-';
}

// Version 0.1.0 made fingerprints of the options as they were accepted, which are stored with the job.
Digest fingerprint_by_0_1_0(const Job& job) {
    return sha256(job.operation + '\n' + (job.asset_id ? job.asset_id->to_string() : "") + '\n' + job.options_json);
}

// Whether every option of the request is what the accepted job has. What was decided when it was accepted is taken as
// it was.
bool asks_for(const NormalizedRequest& request, const Job& job) {
    if (request.operation != job.operation || request.asset_id != job.asset_id) return false;
    json::error_code error;
    const json::value accepted = json::parse(job.options_json, error);
    if (error || !accepted.is_object()) return false;
    return std::all_of(request.options.begin(), request.options.end(), [&](const json::key_value_pair& option) {
        const json::value* had = accepted.get_object().if_contains(option.key());
        return had != nullptr && *had == option.value();
    });
}

}  // namespace

Result<NormalizedRequest> parse_job_request(std::string_view body, const operations::Registry& registry) {
    auto parsed = parse_strict_json(body);
    if (!parsed) return std::move(parsed).error();
    const json::object* fields = parsed->if_object();
    if (fields == nullptr) {
        return invalid_request("the body must be a JSON object")
            .with_hint("such as " + std::string(registry.example(&operations::Examples::short_request)));
    }

    const json::value* named = fields->if_contains("operation");
    const bool is_named = named != nullptr && named->is_string();
    const std::string_view name = is_named ? std::string_view(named->get_string()) : std::string_view();
    const operations::Operation* operation = registry.find(name);
    if (operation == nullptr) return registry.unsupported(name);
    const json::value* options = fields->if_contains("options");
    if (options == nullptr || !options->is_object()) {
        return Error{ErrorCode::options_required, "options object is required", {}};
    }
    if (auto ok = refuse_unknown_fields(*fields, *operation); !ok) return std::move(ok).error();
    auto asset_id = asset_id_of(*fields);
    if (!asset_id) return std::move(asset_id).error();
    return registry.normalize(name, options, *asset_id);
}

Result<void> check_idempotency_key(std::string_view key) {
    const bool long_enough = key.size() >= 8 && key.size() <= 128;
    if (long_enough && std::all_of(key.begin(), key.end(), allowed_in_key)) return {};
    return Error{ErrorCode::invalid_idempotency_key, "invalid_idempotency_key", {}}.with_hint(
        (long_enough ? "the key has another character" : "the key has " + std::to_string(key.size()) + " characters") +
        "; " + std::string(describe(ErrorCode::invalid_idempotency_key).remedy));
}

Digest fingerprint_of(const NormalizedRequest& request) {
    std::string text = "2\n" + request.operation + '\n';  // 2: never the same text as one by 0.1.0
    if (request.asset_id) text += request.asset_id->to_string();
    text += '\n';
    text += json::serialize(request.options);
    return sha256(text);
}

bool is_the_same(const NormalizedRequest& request, const Digest& fingerprint, const Job& job) {
    if (fingerprint_of(request) == fingerprint) return true;
    return fingerprint == fingerprint_by_0_1_0(job) && asks_for(request, job);
}

}  // namespace tessera::service
