// Lists of what an account has, newest first, a page at a time, and what a reader of them wants to know beside. A page
// starts at an id, which is a place in an index: the ten-thousandth costs what the first does.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/asset.hpp"
#include "core/job.hpp"
#include "core/result.hpp"
#include "core/tileset.hpp"
#include "metadata/tilesets.hpp"

namespace tessera::metadata {

struct Page {
    std::optional<Uuid> before;  // only what is older than this; absent: from the newest
    int limit = 20;
};

template <typename T>
struct Listed {
    std::vector<T> items;
    std::optional<Uuid> next;  // `before` of the next page; absent at the end
};

struct JobFilter {
    std::optional<JobStatus> status{};
    std::optional<std::string> operation{};
    std::optional<Uuid> asset_id{};    // the job's own
    std::optional<Uuid> tileset_id{};  // that it names or made
};

// A version that is still there.
struct StoredVersion {
    TilesetVersion version;  // without its layers
    std::optional<Timestamp> replaced_at;
    std::optional<Uuid> job_id;  // that made it; absent where that was not kept
};

struct StoredTileset {
    Tileset tileset;             // without layers
    std::optional<Uuid> job_id;  // that made the current version
};

// Until when a version's addresses may be handed out.
struct VersionTerms {
    std::optional<Timestamp> tileset_expires_at;
    std::optional<Timestamp> replaced_at;
};

// Status and operation are found by index in any combination, and so are an asset and a tileset alone. Together with
// others, an asset's or a tileset's jobs are looked through, so many at most for a page: it may then hold less than its
// limit, or nothing, and `next` goes on from there.
inline constexpr int most_looked_through = 1'000;

class Lists {
  public:
    virtual ~Lists() = default;

    virtual Result<Listed<Asset>> assets(Uuid account_id, const Page& page) = 0;
    virtual Result<Listed<Job>> jobs(Uuid account_id, const JobFilter& filter, const Page& page) = 0;
    virtual Result<Listed<StoredTileset>> tilesets(Uuid account_id, const Page& page) = 0;
    // Of a tileset that is there, newest first.
    virtual Result<std::vector<StoredVersion>> versions(Uuid tileset_id) = 0;
    // Of each of these versions, in their order; nothing for one that is gone. One query for all.
    virtual Result<std::vector<std::optional<VersionTerms>>> terms(std::span<const TilesetVersionName> names) = 0;
    // For signed addresses, whose signature is the right to read. Empty for a suspended account's.
    virtual Result<std::optional<Asset>> signed_asset(Uuid id) = 0;
};

}  // namespace tessera::metadata
