// A preview of an image, made in an engine when it is its account's turn.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "core/asset.hpp"
#include "core/file.hpp"
#include "core/result.hpp"
#include "engine/host/probe.hpp"

namespace tessera::engine {

struct PreviewTask {
    Uuid account_id;
    Uuid asset_id;
    ImageInfo image;
    std::int64_t byte_size = 0;
    int edge = 512;
    std::shared_ptr<const UniqueFd> file;  // the image, open for reading
};

class Previewer {
  public:
    virtual ~Previewer() = default;
    using Previewed = std::function<void(Result<std::string>)>;

    // Makes a WebP when it is the account's turn and calls `previewed` once, from a thread of the previewer's or from
    // this one. It must not throw, and be quick. The errors are for the client: unsupported_media_type (the image can't
    // be decoded, or takes too much), rate_limited, overloaded, internal_error.
    virtual void preview_in_turn(PreviewTask task, Previewed previewed) = 0;
};

}  // namespace tessera::engine
