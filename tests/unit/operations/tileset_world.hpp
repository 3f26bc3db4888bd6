// An account's assets and one tileset of it, with jobs that run in the test's own process and publish versions as the
// service would.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/asset.hpp"
#include "operations/operation.hpp"
#include "run_here.hpp"
#include "tileset_reading.hpp"

namespace tessera::test {

class TilesetWorld {
  public:
    Uuid add_asset(const std::string& bytes);
    [[nodiscard]] operations::SubmitContext context() const;
    [[nodiscard]] Result<operations::ResolvedRequest> accept(const std::string& operation, const std::string& options,
                                                             std::optional<Uuid> asset_id = std::nullopt) const;

    // Accepts, runs, and makes the next version of the outcome. Throws when the job is refused.
    JobResult<Produced> run(const std::string& operation, const std::string& options,
                            std::optional<Uuid> asset_id = std::nullopt);
    // The same for a job that must succeed.
    Produced must(const std::string& operation, const std::string& options,
                  std::optional<Uuid> asset_id = std::nullopt);

    [[nodiscard]] tiles::Layers layers() const;  // of the current version, topmost first
    [[nodiscard]] const std::vector<std::string>& archives() const { return archives_; }  // bottom first
    void set_archives(std::vector<std::string> archives) {
        archives_ = std::move(archives);
        version_.layers.assign(archives_.size(), {});
    }
    [[nodiscard]] const std::string& id() const { return id_text_; }
    [[nodiscard]] std::size_t most_open_files() const { return most_open_; }

    PlanLimits plan;
    operations::RunLimits limits;

  private:
    Uuid id_ = Uuid::random();
    std::string id_text_ = id_.to_string();
    std::map<std::string, std::pair<Asset, std::string>> assets_;
    TilesetVersion version_;
    std::vector<std::string> archives_;
    std::size_t most_open_ = 0;
};

}  // namespace tessera::test
