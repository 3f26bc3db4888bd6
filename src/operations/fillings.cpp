#include "operations/fillings.hpp"

#include "imaging/picture/fitted_rows.hpp"
#include "operations/picture_job.hpp"

namespace tessera::operations {

Fillings::Fillings(const RunContext& context) : context_(context), rasters_(context.scratch) {
    for (std::size_t i = 0; i < context.request.images.size(); ++i) {
        images_[context.request.images[i].asset_id.to_string()] = i;
    }
}

JobResult<imaging::Raster> Fillings::picture(const std::string& asset, imaging::Size size, const std::string& fit) {
    const auto key = std::tuple(asset, size.width, size.height, fit);
    if (const auto known = known_.find(key); known != known_.end()) return known->second;
    if (context_.cancelled && context_.cancelled()) return JobError{JobErrorCode::timeout, "the job was cancelled", ""};
    const auto image = images_.find(asset);
    if (image == images_.end()) return JobError{JobErrorCode::source_unavailable, "a source is missing", asset};
    const auto fd = context_.open_image(image->second);
    if (!fd) return from_error(fd.error());
    const imaging::Source source = source_of(context_, fd->get(), image->second);
    auto fitted = imaging::open_fitted(source, size, imaging::fit_from_string(fit).value_or(imaging::Fit::fill),
                                       context_.scratch);
    if (!fitted) return fitted.error();
    auto raster = rasters_.add(*fitted->rows, size, fitted->at);
    if (raster) known_[key] = *raster;
    return raster;
}

}  // namespace tessera::operations
