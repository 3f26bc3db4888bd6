#include "http/api/artifact_routes.hpp"

#include "http/api/job_json.hpp"
#include "http/api/stored_file.hpp"
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

Response download(service::Artifacts& artifacts, const Request& request) {
    auto found = artifacts.find_signed(request.parameter("id"), plain_query_parameter(request.query, "expires"),
                                       plain_query_parameter(request.query, "sig"));
    if (!found) return Response::from(std::move(found).error());
    const Artifact& artifact = found->artifact;
    const StoredFile file{artifact.content_type, artifact.byte_size, artifact.checksum_sha256, artifact.filename,
                          found->seconds_left};
    return respond_with(request, file, [&](std::uint64_t offset, std::uint64_t length) {
        return artifacts.read(artifact, offset, length);
    });
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
