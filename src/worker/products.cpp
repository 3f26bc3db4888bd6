#include "worker/products.hpp"

#include <algorithm>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <filesystem>
#include <map>

#include "blobs/blob_store.hpp"
#include "core/hex.hpp"

namespace tessera::worker {
namespace {

namespace fs = std::filesystem;
namespace json = boost::json;

struct Stored {
    std::string key;
    std::string checksum;
    std::int64_t byte_size = 0;
};

// The files to publish, each once, although an archive may be an artifact and a layer of a tileset too.
class Gathered {
  public:
    Result<void> add(const fs::path& path, Result<blobs::BlobKey> key) {
        if (files_.contains(path)) return {};
        if (!key) return std::move(key).error();
        auto file = blobs::StagedFile::adopt(path);
        if (!file) return std::move(file).error();
        const auto digest = file->sha256();
        if (!digest) return digest.error();
        total_ += static_cast<std::int64_t>(file->size());
        files_[path] = {key->text(), to_hex(*digest), static_cast<std::int64_t>(file->size())};
        publications_.push_back({std::move(*file), std::move(*key), blobs::IfThere::write_again});
        return {};
    }
    [[nodiscard]] const Stored& at(const fs::path& path) const { return files_.at(path); }
    [[nodiscard]] std::int64_t total() const { return total_; }
    [[nodiscard]] std::vector<blobs::Publication> take() { return std::move(publications_); }
    [[nodiscard]] std::vector<std::string> keys() const {
        std::vector<std::string> keys;
        for (const auto& [path, stored] : files_) keys.push_back(stored.key);
        return keys;
    }

  private:
    std::map<fs::path, Stored> files_;
    std::vector<blobs::Publication> publications_;
    std::int64_t total_ = 0;
};

Result<void> gather(const StoreProductsRequest& request, const engine::Outcome& outcome, const Uuid& tileset_id,
                    Gathered& files) {
    const Job& job = request.claimed.job;
    const auto attempt = static_cast<int>(request.claimed.lease.claim);
    // The tileset first: an archive that is an artifact too is kept under the tileset's name.
    if (outcome.tileset) {
        auto ok = files.add(outcome.tileset->path, blobs::tileset_key(job.account_id, tileset_id, job.id, attempt));
        if (!ok) return ok;
    }
    for (const engine::Product& product : outcome.artifacts) {
        auto ok = files.add(product.path, blobs::artifact_key(job.account_id, job.id, attempt, product.name));
        if (!ok) return ok;
    }
    return {};
}

metadata::TilesetChange tileset_change(const engine::TilesetProduct& made, const Uuid& id, const Sources& sources,
                                       const Stored& stored, std::optional<Timestamp> expires_at) {
    metadata::TilesetChange change;
    change.tileset_id = id;
    change.based_on = sources.tileset ? sources.tileset->current.version : 0;
    change.append = made.is_delta;
    change.layers = {{stored.key, stored.byte_size}};
    change.geometry = made.geometry;
    change.tile_count = made.tile_count;
    change.options_json = made.options_json;
    change.expires_at = expires_at;
    return change;
}

// How an account finds its tileset, entitled to public delivery or not.
std::string with_tileset(const std::string& metadata_json, const metadata::TilesetChange& tileset) {
    json::error_code error;
    json::value parsed = json::parse(metadata_json, error);
    json::object metadata = error || !parsed.is_object() ? json::object() : std::move(parsed.get_object());
    const TilesetGeometry& geometry = tileset.geometry;
    metadata["tileset_id"] = tileset.tileset_id.to_string();
    metadata["version"] = tileset.based_on + 1;
    metadata["format"] = std::string(to_string(geometry.format));
    metadata["tile_size"] = geometry.tile_size;
    metadata["min_zoom"] = geometry.min_zoom;
    metadata["max_zoom"] = geometry.max_zoom;
    metadata["tile_count"] = tileset.tile_count;
    return json::serialize(metadata);
}

std::string result_naming(const metadata::TilesetChange& tileset) {
    return json::serialize(json::object{{"tileset_id", tileset.tileset_id.to_string()},
                                        {"version", tileset.based_on + 1},
                                        {"format", std::string(to_string(tileset.geometry.format))}});
}

JobError too_large(std::int64_t bytes, std::int64_t limit) {
    return {JobErrorCode::artifact_too_large,
            "the files made are " + std::to_string(bytes) + " bytes, over the limit of " + std::to_string(limit),
            {}};
}

}  // namespace

Result<metadata::Completion, JobError> store_products(const StoreProductsRequest& request, engine::Outcome outcome,
                                                      blobs::BlobStore& blobs, std::vector<std::string>& keys) {
    const Job& job = request.claimed.job;
    const Uuid tileset_id = request.sources.tileset ? request.sources.tileset->id : Uuid::time_ordered();
    Gathered files;
    if (auto ok = gather(request, outcome, tileset_id, files); !ok) return storage_failure(ok.error());
    if (files.total() > request.max_artifact_bytes) return too_large(files.total(), request.max_artifact_bytes);
    keys = files.keys();
    if (auto ok = blobs.publish(files.take()); !ok) return storage_failure(ok.error());

    std::optional<Timestamp> expires_at;
    if (request.plan.retention_ttl_seconds) {
        expires_at = request.now + std::chrono::seconds(*request.plan.retention_ttl_seconds);
    }
    metadata::Completion completion;
    if (outcome.tileset) {
        completion.tileset =
            tileset_change(*outcome.tileset, tileset_id, request.sources, files.at(outcome.tileset->path), expires_at);
        completion.result_json = result_naming(*completion.tileset);
    }
    for (const engine::Product& product : outcome.artifacts) {
        const Stored& stored = files.at(product.path);
        Artifact artifact;
        artifact.id = Uuid::time_ordered();
        artifact.account_id = job.account_id;
        artifact.job_id = job.id;
        artifact.kind = product.kind;
        artifact.content_type = product.content_type;
        artifact.byte_size = stored.byte_size;
        artifact.width = product.width;
        artifact.height = product.height;
        artifact.checksum_sha256 = stored.checksum;
        artifact.metadata_json =
            completion.tileset ? with_tileset(product.metadata_json, *completion.tileset) : product.metadata_json;
        artifact.storage_key = stored.key;
        artifact.filename = filename_for(job, request.sources, product);
        artifact.created_at = request.now;
        artifact.expires_at = expires_at;
        completion.artifacts.push_back(std::move(artifact));
    }
    return completion;
}

std::string filename_for(const Job& job, const Sources& sources, const engine::Product& product) {
    std::string stem;
    if (job.asset_id && !sources.assets.empty()) {
        std::string_view name = sources.assets.front().original_filename;
        name.remove_prefix(std::min(name.size(), name.find_last_of("/\\") + 1));
        const std::size_t dot = name.rfind('.');
        stem = std::string(dot == std::string_view::npos || dot == 0 ? name : name.substr(0, dot));
    }
    if (stem.empty()) stem = job.operation;
    if (job.operation == "resize") {
        stem += "-" + std::to_string(product.width) + "x" + std::to_string(product.height);
    }
    if (product.kind != "primary") stem += "-" + product.kind;
    return product.extension.empty() ? stem : stem + "." + product.extension;
}

}  // namespace tessera::worker
