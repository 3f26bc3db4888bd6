// The host's end of a connection to a child. Never blocks beyond a deadline, and can be woken from another thread.
#pragma once

#include <chrono>
#include <span>
#include <string>
#include <string_view>

#include "core/file.hpp"
#include "engine/wire/frame.hpp"

namespace tessera::engine {

using Deadline = std::chrono::steady_clock::time_point;

// Why a conversation with a child came to an end before its time.
enum class Broken { gone, timed_out, stopped, nonsense };

class HostChannel {
  public:
    HostChannel() = default;

    // Makes both ends; the other one, which blocks, is for the child.
    static Result<std::pair<HostChannel, UniqueFd>> create();

    Result<void, Broken> send(std::string_view body, std::span<const int> files, Deadline deadline);
    Result<std::string, Broken> receive(Deadline deadline);

    // From any thread: ends the wait that is in progress, or the next one, with `stopped`.
    void wake();
    void forget_wakes();

  private:
    Result<void, Broken> wait_for(short events, Deadline deadline);

    UniqueFd socket_;
    UniqueFd wake_;  // an eventfd
    FrameReader reader_{max_reply_bytes};
};

}  // namespace tessera::engine
