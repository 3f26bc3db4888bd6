// What a worker counts of its jobs, by operation.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>

#include "core/exemplars.hpp"
#include "core/job.hpp"
#include "core/meters.hpp"

namespace tessera::operations {
class Registry;
}

namespace tessera::worker {

class JobMeters {
  public:
    static constexpr std::size_t error_codes = static_cast<std::size_t>(JobErrorCode::internal_error) + 1;
    using ByErrorCode = std::array<std::atomic<std::uint64_t>, error_codes>;

    struct Operation {
        explicit Operation(std::string named) : name(std::move(named)) {}

        const std::string name;
        Counter succeeded;
        ByErrorCode failed{};
        ByErrorCode retried{};
        Timing duration{long_times};
        Exemplars traced{long_times};  // of the duration
        Timing in_engine{long_times};
        Counter credits_returned;
    };

    // A job of an operation that is not there, such as a newer node's, counts as "other".
    explicit JobMeters(const operations::Registry& operations);

    Operation& of(std::string_view operation);
    [[nodiscard]] const std::deque<Operation>& operations() const { return operations_; }

    Timing light_wait{long_times};
    Timing heavy_wait{long_times};

  private:
    std::deque<Operation> operations_;  // the last is "other"
};

}  // namespace tessera::worker
