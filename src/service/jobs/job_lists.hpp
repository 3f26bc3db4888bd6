// The use cases of jobs beside the interface's own: list them, cancel one.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"
#include "service/access/page.hpp"
#include "service/jobs/jobs.hpp"

namespace tessera::service {

// As they stand in the address; absent or empty: any.
struct JobQuestion {
    std::optional<std::string_view> status;
    std::optional<std::string_view> operation;
    std::optional<std::string_view> asset_id;
    std::optional<std::string_view> tileset_id;
    PageRequest page;
};

struct ListedJobs {
    std::vector<JobView> jobs;
    std::optional<std::string> next_cursor;
};

class JobLists {
  public:
    virtual ~JobLists() = default;

    [[nodiscard]] virtual Result<ListedJobs> list(const Principal& principal, const JobQuestion& question,
                                                  std::string_view origin) = 0;
    // The job as it is then: one that had ended stays as it was.
    [[nodiscard]] virtual Result<JobView> cancel(const Principal& principal, std::string_view id,
                                                 std::string_view origin) = 0;
};

}  // namespace tessera::service
