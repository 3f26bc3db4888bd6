// The assets that the blocks of a grid_render and the patches of a tile_patch name: looked up once each, and what
// fitting them to their places takes.
#pragma once

#include <string_view>
#include <unordered_map>

#include "imaging/pixels/fit.hpp"
#include "operations/caps.hpp"

namespace tessera::operations {

class NamedSources {
  public:
    // Adds to `work`.
    NamedSources(const SubmitContext& context, Workload& work) : context_(context), work_(work) {}

    Result<void> add(const Uuid& id);
    // A source that fills a place of this size; `fit` is cover, contain or fill.
    Result<void> add(const Uuid& id, imaging::Size place, std::string_view fit);

  private:
    Result<ImageInfo> find(const Uuid& id);

    const SubmitContext& context_;
    Workload& work_;
    std::unordered_map<Uuid, ImageInfo> known_;
};

}  // namespace tessera::operations
