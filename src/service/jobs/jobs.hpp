// The use cases of jobs: submit one, look at one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/image_format.hpp"
#include "core/job.hpp"
#include "core/result.hpp"
#include "core/uuid.hpp"
#include "service/access/principal.hpp"

namespace tessera::service {

// The tileset version that a job made, for accounts that have `cdn_delivery`.
struct TilesetResult {
    Uuid tileset_id;
    std::int64_t version = 0;
    ImageFormat format = ImageFormat::png;
    std::string url_template;  // where its tiles are; empty once they are gone
};

// What a job's stored result says of it, without the address.
std::optional<TilesetResult> tileset_named_in(const std::string& result_json);

struct JobView {
    Job job;
    std::optional<TilesetResult> tileset;
};

struct SubmittedJob {
    JobView view;
    bool replayed = false;  // an earlier request with the same idempotency key made it
};

// What a submission says of the request that it came with.
struct RequestMarks {
    std::string_view origin{};      // where it was sent to: addresses start with it unless the service was told another
    std::string_view request_id{};  // its X-Request-ID: kept with the job, for the log
    std::string_view trace{};       // where in a trace it is, as core/trace.hpp stores it: kept with the job, too
    std::optional<Uuid> job_id{};   // of the job that it makes, if it makes one; otherwise the service chooses
};

class Jobs {
  public:
    virtual ~Jobs() = default;

    // `body` is the request's, as sent.
    [[nodiscard]] virtual Result<SubmittedJob> submit(const Principal& principal, std::string_view body,
                                                      std::optional<std::string_view> idempotency_key,
                                                      const RequestMarks& marks) = 0;
    [[nodiscard]] virtual Result<JobView> inspect(const Principal& principal, std::string_view id,
                                                  std::string_view origin) = 0;
};

}  // namespace tessera::service
