// House-keeping in small steps: what expired is removed, blobs that nothing names are deleted, and one node at a
// time does it. A blob goes in two steps, so that an upload of the same bytes at the same instant never loses it:
// begin_blob_deletion (from then on the key can't be named), delete the blob, finish_blob_deletion.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/clock.hpp"
#include "core/result.hpp"

namespace tessera::metadata {

struct Sweep {
    int limit = 100;                         // rows of each kind, at most
    Millis keep_old_versions{2 * 3600'000};  // of tilesets, after they were replaced: as long as signed URLs may live
    Millis keep_blobs{10 * 60'000};          // after nothing names them
};

class Maintenance {
  public:
    virtual ~Maintenance() = default;

    // Removes rows that expired (assets, artifacts, tilesets, old versions of tilesets, idempotency keys older than a
    // day). Blobs that nothing names any more become garbage. Returns the number of rows removed; 0 means that there
    // is no more to do.
    virtual Result<int> remove_expired(const Sweep& sweep) = 0;
    // Removes up to `limit` jobs that ended before `before`, and a day ago at least, and have no artifacts left.
    virtual Result<int> remove_ended_jobs(Timestamp before, int limit) = 0;

    // Keys that a lost attempt may have written, or that a scan of the blob store found unnamed: garbage after `delay`
    // unless something names them by then.
    virtual Result<void> add_garbage(std::span<const std::string> keys, Millis delay) = 0;
    // Those of `keys` that nothing names.
    virtual Result<std::vector<std::string>> unnamed(std::span<const std::string> keys) = 0;

    // No deletion of a blob begins while somebody keeps them, each for `duration`; call again to go on. A backup does
    // so from before it copies the database until it has copied what that names.
    virtual Result<void> keep_blobs(std::string_view holder, Millis duration) = 0;
    virtual Result<void> let_blobs_go(std::string_view holder) = 0;

    // Up to `limit` garbage keys that have waited long enough and that nothing names. Keys whose deletion another
    // node began and never finished come again after a while.
    virtual Result<std::vector<std::string>> begin_blob_deletion(int limit) = 0;
    virtual Result<void> finish_blob_deletion(std::span<const std::string> keys) = 0;

    // A named lease: true when `holder` has it now, for `duration`; call again to keep it.
    virtual Result<bool> hold_lease(std::string_view name, std::string_view holder, Millis duration) = 0;
    virtual Result<void> drop_lease(std::string_view name, std::string_view holder) = 0;
};

}  // namespace tessera::metadata
