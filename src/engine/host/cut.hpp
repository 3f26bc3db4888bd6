// A picture cut from tiles or shown of an asset, made in an engine when it is its account's turn.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "core/file.hpp"
#include "core/result.hpp"
#include "core/uuid.hpp"
#include "operations/cut.hpp"
#include "operations/view.hpp"

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

// A part of an asset.
struct ViewTask {
    Uuid account_id;
    operations::ViewRequest view;
    std::shared_ptr<const UniqueFd> file;  // the asset, open for reading
};

class Cutter {
  public:
    virtual ~Cutter() = default;
    using Made = std::function<void(Result<std::string>)>;

    // Makes the picture when it is the account's turn and calls `made` once, from a thread of the cutter's or from this
    // one. It must not throw, and be quick. The errors are for the client: rate_limited, overloaded,
    // storage_unavailable, internal_error, and whatever `gather` gives.
    virtual void cut_in_turn(CutTask task, Made made) = 0;
    // The same for a part of an asset; unsupported_media_type where that can't be decoded, or takes too much.
    virtual void view_in_turn(ViewTask task, Made made) = 0;
};

}  // namespace tessera::engine
