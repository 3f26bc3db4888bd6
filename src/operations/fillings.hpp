// The pictures that grid_render puts into blocks and tile_patch into patches: each brought to its size once, one open
// at a time, and kept in one scratch file.
#pragma once

#include <map>
#include <string>
#include <tuple>

#include "imaging/pixels/raster_store.hpp"
#include "operations/run.hpp"

namespace tessera::operations {

class Fillings {
  public:
    explicit Fillings(const RunContext& context);

    [[nodiscard]] const imaging::RasterStore& rasters() const { return rasters_; }
    // `asset` is one of the run's images; `fit` is cover, contain or fill.
    JobResult<imaging::Raster> picture(const std::string& asset, imaging::Size size, const std::string& fit);

  private:
    const RunContext& context_;
    imaging::RasterStore rasters_;
    std::map<std::string, std::size_t> images_;
    std::map<std::tuple<std::string, std::int64_t, std::int64_t, std::string>, imaging::Raster> known_;
};

}  // namespace tessera::operations
