// The spans of one attempt at a job, in the trace of the request that made it: its wait in the queue, the attempt
// itself and, under it, the engine's part and the storing of results. Nothing at all where that trace is not recorded.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/job.hpp"
#include "metadata/queue.hpp"
#include "telemetry/span.hpp"

namespace tessera::telemetry {
class Tracer;
}

namespace tessera::worker {

class AttemptSpans {
  public:
    // `tracer` is null where no traces are sent.
    AttemptSpans(telemetry::Tracer* tracer, const metadata::ClaimedJob& claimed);
    AttemptSpans(const AttemptSpans&) = delete;
    AttemptSpans& operator=(const AttemptSpans&) = delete;

    // A part of the attempt, from its making to its end.
    class Part {
      public:
        Part(AttemptSpans& spans, std::string_view name);
        Part(const Part&) = delete;
        Part& operator=(const Part&) = delete;
        ~Part();
        void fail(JobErrorCode code);

      private:
        telemetry::Tracer* const tracer_;  // null: nobody wants to know
        telemetry::Span span_;
    };

    // The attempt is over; why it failed, if it did.
    void end(std::string_view how, std::optional<JobErrorCode> failure);

  private:
    [[nodiscard]] telemetry::Span begun(std::string name, const SpanId& parent) const;
    void tell_of_wait();

    telemetry::Tracer* tracer_;  // null, too, where the trace is not recorded
    const metadata::ClaimedJob& claimed_;
    TraceContext request_;  // the span of the request that made the job
    telemetry::Span attempt_;
};

}  // namespace tessera::worker
