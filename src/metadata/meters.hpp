// What a store counts of its calls, as their callers see them: with the wait for a connection, a group or a sync.
#pragma once

#include "core/meters.hpp"
#include "core/phase_times.hpp"
#include "core/result.hpp"

namespace tessera::metadata {

struct StoreMeters {
    Timing reads;
    Timing writes;
    Counter failures;  // the database did not answer, or could not be written

    template <typename Answer>
    Answer counted(Answer answer) {
        if (!answer.ok() && answer.error().code == ErrorCode::storage_unavailable) failures.add();
        return answer;
    }
};

// One call, counted; a request that wants to know where its time goes is told, too.
class TimedCall {
  public:
    explicit TimedCall(Timing& timing) : timed_(timing) {}

  private:
    const TimedScope timed_;
    const PhaseScope phase_{Phase::database};
};

}  // namespace tessera::metadata
