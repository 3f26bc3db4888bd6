// A picture cut from tiles, made in an engine when it is its account's turn.
#pragma once

#include <functional>
#include <string>

#include "core/file.hpp"
#include "core/result.hpp"
#include "core/uuid.hpp"
#include "operations/cut.hpp"

namespace tessera::engine {

// The tiles of a cut, and what is made of them.
struct GatheredTiles {
    operations::CutRequest cut;
    UniqueFd file;  // their bytes, as the request says where
};

struct CutTask {
    Uuid account_id;
    // Called when it is the account's turn, so that what waits holds no tiles. May wait for them; must not throw.
    std::function<Result<GatheredTiles>()> gather;
};

class Cutter {
  public:
    virtual ~Cutter() = default;
    using Made = std::function<void(Result<std::string>)>;

    // Makes the picture when it is the account's turn and calls `made` once, from a thread of the cutter's or from this
    // one. It must not throw, and be quick. The errors are for the client: rate_limited, overloaded,
    // storage_unavailable, internal_error, and whatever `gather` gives.
    virtual void cut_in_turn(CutTask task, Made made) = 0;
};

}  // namespace tessera::engine
