#include "worker/sources.hpp"

#include <unordered_map>

#include "metadata/assets.hpp"
#include "metadata/store.hpp"
#include "metadata/tilesets.hpp"

namespace tessera::worker {
namespace {

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

Result<Sources, JobError> find_sources(const Job& job, std::span<const Uuid> images, metadata::Store& store) {
    Sources sources;
    if (!images.empty()) {
        auto found = store.assets().find_all(job.account_id, images);
        if (!found) return storage_failure(found.error());
        std::unordered_map<Uuid, Asset> by_id;
        for (Asset& asset : *found) by_id.emplace(asset.id, std::move(asset));
        for (const Uuid& id : images) {
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
