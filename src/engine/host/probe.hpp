// The header of an upload, read in an engine when it is its account's turn.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

#include "core/asset.hpp"
#include "core/result.hpp"
#include "core/uuid.hpp"

namespace tessera::engine {

// Caps that a header is judged by before anything is decoded. Absent: only what the format and the engine can hold.
struct ProbeLimits {
    std::optional<std::int64_t> max_edge_pixels;
    std::optional<std::int64_t> max_megapixels;
};

// Whose work it is. An engine works for one account only, and what is said of one that was lost names both.
struct Owner {
    Uuid account_id;                   // nil outside the service
    Uuid job_id;                       // nil for an upload
    std::string_view request_id = {};  // of the request that it is done for; outlives the work, as does the next
    std::string_view trace_id = {};
};

class Prober {
  public:
    virtual ~Prober() = default;
    using Probed = std::function<void(Result<ImageInfo>)>;

    // Reads the header of the image in `file` (from offset 0, whatever its offset is) when it is the account's turn,
    // and calls `probed` once, from a thread of the prober's or from this one. It must not throw, and hand on what
    // takes long. The file must stay open until then. The errors are for the client: unsupported_media_type (not an
    // image we take, or a damaged one; the message says why), image_too_large, rate_limited (too many of this account
    // wait), overloaded (it was not its turn in time, or no engine could answer in time), internal_error (the engine
    // died: another try may work).
    virtual void probe_in_turn(int file, const Owner& owner, const ProbeLimits& limits, Probed probed) = 0;
    // Whether an upload of this account may wait for its turn at all.
    virtual Result<void> check_room(const Uuid& account) = 0;
};

}  // namespace tessera::engine
