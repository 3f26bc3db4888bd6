// The metadata store: hands out the per-aggregate interfaces and says when something has changed. All calls block and
// may be made from any thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "core/clock.hpp"
#include "core/job.hpp"
#include "core/result.hpp"
#include "core/uuid.hpp"

namespace tessera::metadata {

class Accounts;
class ApiKeys;
class Artifacts;
class Assets;
class Audit;
class DailyUse;
class Deletions;
class Entitlements;
class Erasure;
class JobWatch;
class Jobs;
class Lists;
class Maintenance;
class Nodes;
class OperatorViews;
class Operators;
class Plans;
class Queue;
class RateCounters;
class SigningSecrets;
class Tilesets;
class Usage;
class Webhooks;
struct StoreMeters;

// Something that caches hold may be different now, whichever process changed it.
struct Change {
    enum class Kind {
        everything,  // changes may have been missed: forget all that is cached
        plans,
        account,         // the account, its keys or its entitlements; `id` is the account's
        tileset,         // deleted, or a new version; `id` is the tileset's
        erased_account,  // nothing of it may stay in any cache
        job_cancelled,   // whoever works on it must stop; `id` is the job's
    };
    Kind kind = Kind::everything;
    Uuid id;
};

// A job was submitted, claimed, queued again, or has ended.
struct JobChange {
    Uuid account_id;
    Uuid job_id;
    JobStatus status = JobStatus::queued;
};

// Ends the subscription when it is destroyed; no call is running or will come after that.
class Subscription {
  public:
    virtual ~Subscription() = default;
};

class Store {
  public:
    virtual ~Store() = default;

    virtual Plans& plans() = 0;
    virtual Accounts& accounts() = 0;
    virtual ApiKeys& api_keys() = 0;
    virtual Entitlements& entitlements() = 0;
    virtual Usage& usage() = 0;
    virtual Assets& assets() = 0;
    virtual Jobs& jobs() = 0;
    virtual JobWatch& job_watch() = 0;
    virtual Queue& queue() = 0;
    virtual Artifacts& artifacts() = 0;
    virtual Tilesets& tilesets() = 0;
    virtual Maintenance& maintenance() = 0;
    virtual Audit& audit() = 0;
    virtual Erasure& erasure() = 0;
    virtual Lists& lists() = 0;
    virtual Deletions& deletions() = 0;
    virtual Webhooks& webhooks() = 0;
    virtual Operators& operators() = 0;
    virtual OperatorViews& operator_views() = 0;
    virtual DailyUse& daily_use() = 0;
    virtual Nodes& nodes() = 0;
    // Null where the store is not shared by nodes: count in memory then.
    virtual RateCounters* rate_counters() = 0;
    // Null where the store is not shared by nodes: keep them in a file then.
    virtual SigningSecrets* signing_secrets() = 0;

    // Called when a job may have become claimable. Callbacks run on a thread of the store: be quick, never call the
    // store from one, and never throw. A missed call costs seconds at most.
    [[nodiscard]] virtual std::unique_ptr<Subscription> on_jobs_available(std::function<void()> callback) = 0;
    // Called after the commit that changed jobs: at once for this process's own, a moment later for another's. With
    // none, some may have been missed: who waits for one looks again. A few are lost without a word, such as those of a
    // node that is killed: look again every few seconds all the same. Be quick in it, and never call the store.
    using JobChanges = std::span<const JobChange>;
    [[nodiscard]] virtual std::unique_ptr<Subscription> on_job_changes(std::function<void(JobChanges)> callback) = 0;
    // Called for every change: at once for this process's own, within 2 s for another's.
    [[nodiscard]] virtual std::unique_ptr<Subscription> on_change(std::function<void(const Change&)> callback) = 0;
    // Rises with every change above: cheap enough to compare on every request.
    [[nodiscard]] virtual std::uint64_t change_counter() const = 0;

    // How calls went, for metrics.
    [[nodiscard]] virtual const StoreMeters& meters() const = 0;

    // Whether the database answers and can be written: for readiness.
    virtual Result<void> check() = 0;
    // A consistent copy of the whole database in a new file, while everything goes on. Only where that makes sense.
    virtual Result<void> back_up_to(const std::string& path) = 0;
};

struct SqliteOptions {
    int readers = 4;                // read connections
    Millis busy_timeout{10'000};    // how long to wait for another process that writes
    Millis change_poll{100};        // how soon another process's changes are seen
    bool create = true;             // make the file when there is none
    std::string actor = "service";  // who the audit trail says did what is done through this store
};

// Opens and migrates the database. The clock must outlive the store.
Result<std::unique_ptr<Store>> open_sqlite(const std::string& path, const Clock& clock,
                                           const SqliteOptions& options = {});

struct PostgresOptions {
    int connections = 8;
    Millis statement_timeout{10'000};
    Millis connect_timeout{5'000};
    // For tests: time comes from this clock. Otherwise it is the database's, so that nodes' clocks may differ.
    const Clock* clock = nullptr;
    bool create = true;             // make the tables when there are none; otherwise that is `not_found`
    std::string actor = "service";  // who the audit trail says did what is done through this store
};

Result<std::unique_ptr<Store>> open_postgres(const std::string& url, const PostgresOptions& options = {});

}  // namespace tessera::metadata
