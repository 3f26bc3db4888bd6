// Jobs over the metadata store: validation by the operations, everything that decides in the store's one transaction.
#pragma once

#include <deque>
#include <string>

#include "core/clock.hpp"
#include "core/meters.hpp"
#include "operations/operation.hpp"
#include "service/access/storage_limits.hpp"
#include "service/delivery/links.hpp"
#include "service/jobs/job_lists.hpp"
#include "service/jobs/jobs.hpp"

namespace tessera::metadata {
class Store;
struct IdempotencyKey;
struct VersionTerms;
}  // namespace tessera::metadata
namespace tessera::operations {
class Registry;
}

namespace tessera::service {

class JobService final : public Jobs, public JobLists {
  public:
    JobService(metadata::Store& store, const operations::Registry& registry, const Links& links, const Clock& clock,
               operations::WorkerLimits limits, const StorageConfig& storage = {});

    Result<SubmittedJob> submit(const Principal& principal, std::string_view body,
                                std::optional<std::string_view> idempotency_key, const RequestMarks& marks) override;
    Result<JobView> inspect(const Principal& principal, std::string_view id, std::string_view origin) override;

    Result<ListedJobs> list(const Principal& principal, const JobQuestion& question, std::string_view origin) override;
    Result<JobView> cancel(const Principal& principal, std::string_view id, std::string_view origin) override;
    // The job as its account sees it, with no signed address in it: for messages that are kept who knows where. Empty
    // when it is gone.
    [[nodiscard]] Result<std::optional<JobView>> for_message(const Uuid& account_id, const Uuid& job_id);

    // What was accepted here, by operation, for metrics.
    struct Accepted {
        explicit Accepted(std::string_view operation) : name(operation) {}
        const std::string name;
        Counter jobs;
        Counter credits;
    };
    [[nodiscard]] const std::deque<Accepted>& accepted() const { return accepted_; }

  private:
    void count_accepted(const Job& job);
    [[nodiscard]] Result<std::optional<SubmittedJob>> replay(const Principal& principal,
                                                             const operations::NormalizedRequest& request,
                                                             std::string_view key, std::string_view origin);
    [[nodiscard]] Result<operations::ResolvedRequest> resolve(const Principal& principal,
                                                              operations::NormalizedRequest request);
    [[nodiscard]] Result<SubmittedJob> insert(const Principal& principal, const operations::ResolvedRequest& request,
                                              std::optional<metadata::IdempotencyKey> key, const RequestMarks& marks);
    [[nodiscard]] Result<std::string> tile_template(const TilesetResult& made, std::string_view origin);
    [[nodiscard]] std::string template_until(const TilesetResult& made, const metadata::VersionTerms& terms,
                                             std::string_view origin) const;
    [[nodiscard]] Result<JobView> view_of(const Principal& principal, Job job, std::string_view origin);
    [[nodiscard]] Result<std::vector<JobView>> views_of(const Principal& principal, std::vector<Job> jobs,
                                                        std::string_view origin);

    metadata::Store& store_;
    const operations::Registry& registry_;
    const Links& links_;
    const Clock& clock_;
    const operations::WorkerLimits limits_;
    const StorageConfig storage_;
    std::deque<Accepted> accepted_;
};

// What a worker left in result_json; nothing where that names no tileset.
std::optional<TilesetResult> tileset_named_in(const std::string& result_json);

}  // namespace tessera::service
