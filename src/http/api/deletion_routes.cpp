#include "http/api/deletion_routes.hpp"

#include "service/access/rate_limiter.hpp"
#include "service/delivery/deletions.hpp"

namespace tessera::http {
namespace {

using Remove = Result<void> (service::Deletions::*)(const service::Principal&, std::string_view id);

struct Deletable {
    std::string pattern;
    std::string operation_id;
    std::string summary;
    std::string tag;
    Remove remove;
};

Route deletion_route(service::Deletions& deletions, Deletable thing) {
    Route route;
    route.method = Method::delete_;
    route.pattern = std::move(thing.pattern);
    route.operation_id = std::move(thing.operation_id);
    route.summary = std::move(thing.summary);
    route.tag = std::move(thing.tag);
    route.auth = Auth::api_key;
    route.permission = Permission::data_delete;
    route.limit = LimitRule{service::RateClass::deletions, LimitScope::account};
    route.answers = {{204, "It is gone; also when it was deleted within the last day", "", {}}};
    route.failures = {400, 404, 503};
    route.handler = on_pool([&deletions, remove = thing.remove](const Request& request) {
        auto done = (deletions.*remove)(*request.principal, request.parameter("id"));
        return done ? Response::empty(204) : Response::from(std::move(done).error());
    });
    return route;
}

}  // namespace

std::vector<Route> deletion_routes(service::Deletions& deletions) {
    std::vector<Route> routes;
    routes.push_back(deletion_route(
        deletions, {"/v1/assets/{id}", "deleteAsset", "Delete an asset", "assets", &service::Deletions::remove_asset}));
    routes.push_back(deletion_route(deletions, {"/v1/artifacts/{id}", "deleteArtifact", "Delete an artifact",
                                                "artifacts", &service::Deletions::remove_artifact}));
    Route all = deletion_route(
        deletions, {"/v1/jobs/{id}/artifacts", "deleteJobArtifacts", "Delete all artifacts of a job that has ended",
                    "jobs", &service::Deletions::remove_artifacts_of});
    all.answers = {{204, "The job has no artifacts any more", "", {}}};
    all.failures.push_back(409);
    routes.push_back(std::move(all));
    routes.push_back(
        deletion_route(deletions, {"/v1/tilesets/{id}", "deleteTileset", "Delete a tileset with all its versions",
                                   "tilesets", &service::Deletions::remove_tileset}));
    return routes;
}

}  // namespace tessera::http
