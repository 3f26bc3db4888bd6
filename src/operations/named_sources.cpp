#include "operations/named_sources.hpp"

#include <algorithm>

namespace tessera::operations {

Result<ImageInfo> NamedSources::find(const Uuid& id) {
    if (const auto known = known_.find(id); known != known_.end()) return known->second;
    auto asset = context_.find_asset(id);
    if (!asset) return std::move(asset).error();
    known_.emplace(id, asset->image);
    work_.inputs.push_back(asset->image);
    return asset->image;
}

Result<void> NamedSources::add(const Uuid& id) {
    auto image = find(id);
    if (!image) return std::move(image).error();
    return {};
}

Result<void> NamedSources::add(const Uuid& id, imaging::Size place, std::string_view fit) {
    const auto image = find(id);
    if (!image) return image.error();
    const imaging::Box box{place.width, place.height, imaging::fit_from_string(fit).value_or(imaging::Fit::fill), true};
    const imaging::Size scaled = imaging::fit_into(box, {image->width, image->height}).scaled;
    work_.fitted_pixels = std::max(work_.fitted_pixels, pixels_of(scaled.width, scaled.height));
    return {};
}

}  // namespace tessera::operations
