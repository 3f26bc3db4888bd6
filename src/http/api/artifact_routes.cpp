#include "http/api/artifact_routes.hpp"

#include "http/api/job_json.hpp"
#include "http/message/conditional.hpp"
#include "http/message/content_disposition.hpp"
#include "http/message/origin.hpp"
#include "service/access/rate_limiter.hpp"
#include "service/delivery/artifacts.hpp"

namespace tessera::http {
namespace {

Response describe(service::Artifacts& artifacts, const Request& request) {
    auto view = artifacts.describe(*request.principal, request.parameter("id"), origin_of(request));
    if (!view) return Response::from(std::move(view).error());
    return Response::json(to_json(*view));
}

// The conditions are judged on a body that stands for the whole artifact; only the part that is to be sent is read.
Response download(service::Artifacts& artifacts, const Request& request) {
    auto found = artifacts.find_signed(request.parameter("id"), plain_query_parameter(request.query, "expires"),
                                       plain_query_parameter(request.query, "sig"));
    if (!found) return Response::from(std::move(found).error());
    const Artifact& artifact = found->artifact;
    Response response =
        Response::bytes(artifact.content_type, FileSlice{nullptr, 0, static_cast<std::uint64_t>(artifact.byte_size)});
    response.add("Cache-Control", "public, max-age=" + std::to_string(found->seconds_left) + ", immutable");
    response.add("Content-Disposition", content_disposition(artifact.filename));
    response = apply_conditions(request, std::move(response), strong_etag(artifact.checksum_sha256), true);
    const auto* wanted = std::get_if<FileSlice>(&response.body);
    if (response.error || wanted == nullptr) return response;

    auto part = artifacts.read(artifact, wanted->offset, wanted->length);
    if (!part) return Response::from(std::move(part).error());
    if (part->file) {
        response.body = FileSlice{std::move(part->file), part->offset, part->length};
    } else {
        const std::string_view bytes(*part->bytes);
        response.body = SharedBytes{std::move(part->bytes), bytes};
    }
    return response;
}

Route describe_route(service::Artifacts& artifacts) {
    Route route;
    route.method = Method::get;
    route.pattern = "/v1/artifacts/{id}";
    route.operation_id = "getArtifact";
    route.summary = "Describe an artifact and get a signed address for its bytes";
    route.tag = "artifacts";
    route.auth = Auth::api_key;
    route.permission = Permission::artifacts_read;
    route.limit = LimitRule{service::RateClass::artifact_reads, LimitScope::account};
    route.answers = {{200, "The artifact with a signed download_url", "ArtifactWithDownload"}};
    route.failures = {400, 404, 500, 503};
    route.handler = on_pool([&artifacts](const Request& request) { return describe(artifacts, request); });
    return route;
}

Route download_route(service::Artifacts& artifacts) {
    Route route;
    route.method = Method::get;
    route.pattern = "/v1/artifacts/{id}/download";
    route.operation_id = "downloadArtifact";
    route.summary = "Download an artifact from its signed address";
    route.tag = "artifacts";
    route.auth = Auth::signed_url;
    route.limit = LimitRule{service::RateClass::downloads, LimitScope::ip};
    route.parameters = {"expires", "sig", "If-None-Match", "Range", "If-Range"};
    const std::vector<std::string> bytes = {"application/octet-stream", "image/*", "application/vnd.pmtiles"};
    const std::vector<std::string> whole = {"ETag", "Cache-Control", "Accept-Ranges", "Content-Disposition"};
    std::vector<std::string> part = whole;
    part.emplace_back("Content-Range");
    route.answers = {{200, "The artifact's bytes", "", bytes, whole},
                     {206, "The part that a Range header asked for", "", bytes, part},
                     {304, "Not changed since the ETag in If-None-Match", "", {}, whole}};
    route.failures = {400, 403, 404, 416, 500, 503};
    route.cors = true;
    route.handler = on_pool([&artifacts](const Request& request) { return download(artifacts, request); });
    return route;
}

}  // namespace

std::vector<Route> artifact_routes(service::Artifacts& artifacts) {
    return {describe_route(artifacts), download_route(artifacts)};
}

}  // namespace tessera::http
