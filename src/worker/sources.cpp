#include "worker/sources.hpp"

#include <boost/json/parse.hpp>
#include <unordered_map>
#include <unordered_set>

#include "metadata/assets.hpp"
#include "metadata/store.hpp"
#include "metadata/tilesets.hpp"

namespace tessera::worker {
namespace {

namespace json = boost::json;

class Collector {
  public:
    void add(const Uuid& id) {
        if (seen_.insert(id).second) ids_.push_back(id);
    }
    void walk(const json::value& value) {
        if (const json::array* list = value.if_array()) {
            for (const json::value& element : *list) walk(element);
        } else if (const json::object* object = value.if_object()) {
            for (const auto& field : *object) {
                const json::string* text = field.value().if_string();
                const auto id = text != nullptr && field.key() == "asset_id" ? Uuid::parse({text->data(), text->size()})
                                                                             : std::nullopt;
                id ? add(*id) : walk(field.value());
            }
        }
    }
    std::vector<Uuid> take() { return std::move(ids_); }

  private:
    std::vector<Uuid> ids_;
    std::unordered_set<Uuid> seen_;
};

JobError gone(std::string message) {
    return {JobErrorCode::source_unavailable, std::move(message), {}};
}

}  // namespace

JobError storage_failure(const Error& error) {
    if (error.code == ErrorCode::storage_unavailable || error.code == ErrorCode::overloaded) {
        return {JobErrorCode::storage_unavailable, std::string(describe(JobErrorCode::storage_unavailable).meaning),
                error.detail};
    }
    return {JobErrorCode::internal_error, std::string(describe(JobErrorCode::internal_error).meaning), error.detail};
}

std::vector<Uuid> assets_of(const Job& job) {
    Collector found;
    if (job.asset_id) found.add(*job.asset_id);
    json::error_code error;
    const json::value options = json::parse(job.options_json, error);
    if (!error) found.walk(options);
    return found.take();
}

Result<Sources, JobError> find_sources(const Job& job, metadata::Store& store) {
    Sources sources;
    if (const std::vector<Uuid> ids = assets_of(job); !ids.empty()) {
        auto found = store.assets().find_all(job.account_id, ids);
        if (!found) return storage_failure(found.error());
        std::unordered_map<Uuid, Asset> by_id;
        for (Asset& asset : *found) by_id.emplace(asset.id, std::move(asset));
        for (const Uuid& id : ids) {
            const auto asset = by_id.find(id);
            if (asset == by_id.end()) return gone("asset " + id.to_string() + " is no longer there");
            sources.assets.push_back(std::move(asset->second));
        }
    }
    if (job.tileset_id) {
        auto tileset = store.tilesets().find(job.account_id, *job.tileset_id);
        if (!tileset) return storage_failure(tileset.error());
        if (!*tileset) return gone("tileset " + job.tileset_id->to_string() + " is no longer there");
        sources.tileset = std::move(**tileset);
    }
    return sources;
}

}  // namespace tessera::worker
