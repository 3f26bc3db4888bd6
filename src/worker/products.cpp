#include "worker/products.hpp"

#include <algorithm>
#include <boost/json/serialize.hpp>
#include <filesystem>
#include <map>

#include "blobs/blob_store.hpp"
#include "core/hex.hpp"
#include "core/plain_numbers.hpp"
#include "operations/operation.hpp"

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
    Result<void> add(const std::string& name, const fs::path& path, Result<blobs::BlobKey> key) {
        if (files_.contains(name)) return {};
        if (!key) return std::move(key).error();
        auto file = blobs::StagedFile::adopt(path);
        if (!file) return std::move(file).error();
        const auto digest = file->sha256();
        if (!digest) return digest.error();
        total_ += static_cast<std::int64_t>(file->size());
        files_[name] = {key->text(), to_hex(*digest), static_cast<std::int64_t>(file->size())};
        publications_.push_back({std::move(*file), std::move(*key), blobs::IfThere::write_again});
        return {};
    }
    [[nodiscard]] const Stored& at(const std::string& name) const { return files_.at(name); }
    [[nodiscard]] std::int64_t total() const { return total_; }
    [[nodiscard]] std::vector<blobs::Publication> take() { return std::move(publications_); }
    [[nodiscard]] std::vector<std::string> keys() const {
        std::vector<std::string> keys;
        for (const auto& [name, stored] : files_) keys.push_back(stored.key);
        return keys;
    }

  private:
    std::map<std::string, Stored> files_;  // by the manifest's names
    std::vector<blobs::Publication> publications_;
    std::int64_t total_ = 0;
};

Result<void> gather(const StoreProductsRequest& request, const engine::Outcome& outcome, const Uuid& tileset_id,
                    Gathered& files) {
    const Job& job = request.claimed.job;
    const auto attempt = static_cast<int>(request.claimed.lease.claim);
    // The tileset first: an archive that is an artifact too is kept under the tileset's name.
    if (const auto& tileset = outcome.manifest.tileset) {
        auto ok = files.add(tileset->file, outcome.path_of(tileset->file),
                            blobs::tileset_key(job.account_id, tileset_id, job.id, attempt));
        if (!ok) return ok;
    }
    for (const operations::OutputFile& made : outcome.manifest.artifacts) {
        auto ok = files.add(made.file, outcome.path_of(made.file),
                            blobs::artifact_key(job.account_id, job.id, attempt, made.kind + "." + made.extension));
        if (!ok) return ok;
    }
    return {};
}

metadata::TilesetChange tileset_change(const operations::TilesetOutput& made, const Uuid& id, const Sources& sources,
                                       const Stored& stored, std::optional<Timestamp> expires_at) {
    metadata::TilesetChange change;
    change.tileset_id = id;
    change.based_on = sources.tileset ? sources.tileset->current.version : 0;
    change.append = made.is_delta;
    change.layers = {{stored.key, stored.byte_size}};
    change.geometry = made.geometry;
    change.tile_count = made.tile_count;
    change.options_json = with_plain_numbers(json::serialize(made.options));
    change.expires_at = expires_at;
    return change;
}

// How an account finds its tileset, entitled to public delivery or not.
void add_tileset(json::object& metadata, const metadata::TilesetChange& tileset) {
    const TilesetGeometry& geometry = tileset.geometry;
    metadata["tileset_id"] = tileset.tileset_id.to_string();
    metadata["version"] = tileset.based_on + 1;
    metadata["format"] = std::string(to_string(geometry.format));
    metadata["tile_size"] = geometry.tile_size;
    metadata["min_zoom"] = geometry.min_zoom;
    metadata["max_zoom"] = geometry.max_zoom;
    metadata["tile_count"] = tileset.tile_count;
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
    if (const auto& made = outcome.manifest.tileset) {
        completion.tileset = tileset_change(*made, tileset_id, request.sources, files.at(made->file), expires_at);
        completion.result_json = result_naming(*completion.tileset);
    }
    for (operations::OutputFile& made : outcome.manifest.artifacts) {
        const Stored& stored = files.at(made.file);
        if (completion.tileset) add_tileset(made.metadata, *completion.tileset);
        Artifact artifact;
        artifact.id = Uuid::time_ordered();
        artifact.account_id = job.account_id;
        artifact.job_id = job.id;
        artifact.kind = made.kind;
        artifact.content_type = made.content_type;
        artifact.byte_size = stored.byte_size;
        artifact.width = made.width;
        artifact.height = made.height;
        artifact.checksum_sha256 = stored.checksum;
        artifact.metadata_json = with_plain_numbers(json::serialize(made.metadata));
        artifact.storage_key = stored.key;
        artifact.filename = filename_for(request, made);
        artifact.created_at = request.now;
        artifact.expires_at = expires_at;
        completion.artifacts.push_back(std::move(artifact));
    }
    return completion;
}

std::string filename_for(const StoreProductsRequest& request, const operations::OutputFile& made) {
    std::string stem;
    if (request.claimed.job.asset_id && !request.sources.assets.empty()) {
        std::string_view name = request.sources.assets.front().original_filename;
        name.remove_prefix(std::min(name.size(), name.find_last_of("/\\") + 1));
        const std::size_t dot = name.rfind('.');
        stem = std::string(dot == std::string_view::npos || dot == 0 ? name : name.substr(0, dot));
    }
    if (stem.empty()) stem = request.operation.name();
    stem = request.operation.file_stem(std::move(stem), made);
    if (made.kind != "primary") stem += "-" + made.kind;
    return made.extension.empty() ? stem : stem + "." + made.extension;
}

}  // namespace tessera::worker
