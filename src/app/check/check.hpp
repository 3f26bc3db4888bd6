// Compares what rows say with what the blob store holds, both ways, beside a service that works: what is uploaded,
// published, folded or deleted meanwhile is no finding. Only pages are held in memory, however much there is.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/check/journal.hpp"
#include "app/check/pace.hpp"
#include "app/check/report.hpp"
#include "blobs/inspector.hpp"
#include "core/clock.hpp"
#include "core/result.hpp"
#include "metadata/inventory.hpp"

namespace tessera::metadata {
class Store;
}

namespace tessera::app {

struct CheckedStores {
    metadata::Store& store;
    metadata::Inventory& inventory;
    blobs::Inspector& blobs;
    const Clock& clock;
    Millis orphan_age;  // younger blobs may belong to work that is under way
};

class Check {
  public:
    Check(const CheckedStores& stores, CheckJournal& journal, CheckReport& report, std::uint64_t bytes_a_second)
        : stores_(stores), journal_(journal), report_(report), pace_(bytes_a_second) {}

    // Throws CommandFailed where a store is away; started again it goes on.
    void run();

  private:
    void look_at_database();
    void look_for_leftovers();
    void compare_rows();
    void look_for_orphans();

    // One blob that rows name.
    [[nodiscard]] Result<std::optional<Finding>> compare(const metadata::OwnedBlob& blob);
    [[nodiscard]] Result<std::optional<Finding>> look_into(const metadata::OwnedBlob& blob, const blobs::BlobKey& key,
                                                           const blobs::StoredBlob& stored);
    [[nodiscard]] Result<std::string> fault_of_archive(const blobs::BlobKey& key, std::uint64_t size, bool all_tiles);
    [[nodiscard]] Result<std::string> fault_of_bytes(const blobs::BlobKey& key, const std::string& sha256);
    // Whether something that is wrong with it matters: not if its rows went meanwhile, or its account is being erased.
    [[nodiscard]] Result<bool> is_still_wanted(const metadata::OwnedBlob& blob);
    [[nodiscard]] Finding about(FindingKind kind, const metadata::OwnedBlob& blob, std::string detail) const;
    void count_read(std::uint64_t bytes);

    // Names the account, moves what may be moved, writes it down and tells it.
    void settle(Finding finding);
    void move(Finding& finding);
    void reached(CheckPhase phase, std::string cursor);
    std::string slug_of(const Uuid& account_id);

    const CheckedStores stores_;
    CheckJournal& journal_;
    CheckReport& report_;
    Pace pace_;
    CheckPlace place_;
    std::atomic<std::uint64_t> bytes_{0};
    std::map<Uuid, std::string> slugs_;
};

}  // namespace tessera::app
