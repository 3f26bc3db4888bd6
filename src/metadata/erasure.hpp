// The erasure of an account, in steps that can each be taken again: begin, remove rows until there are none, delete the
// blobs, finish. What stays is a row that names nobody, and the ledger that refers to it.
#pragma once

#include <vector>

#include "core/account.hpp"
#include "core/result.hpp"

namespace tessera::metadata {

class Erasure {
  public:
    virtual ~Erasure() = default;

    // Suspends the account for good and takes its keys and entitlements; running jobs end. From then on no asset and no
    // job of it can be added. `not_found` when there is no such account; one that is erased stays as it is.
    virtual Result<Account> begin(Uuid account_id) = 0;
    // Some of the rows that the account owned: assets, artifacts, tilesets, jobs. Returns how many; 0 when none are
    // left.
    virtual Result<int> remove_some(Uuid account_id) = 0;
    // After the blobs are deleted: what is noted about them goes, and so do the account's slug and name.
    virtual Result<Account> finish(Uuid account_id) = 0;
    // Accounts whose erasure was begun and is not finished, the one that was begun first at the front.
    virtual Result<std::vector<Uuid>> unfinished() = 0;
};

}  // namespace tessera::metadata
