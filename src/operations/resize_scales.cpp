#include "operations/resize_scales.hpp"

#include <algorithm>
#include <numeric>
#include <ranges>
#include <utility>

#include "imaging/picture/transform.hpp"
#include "imaging/save/recompress.hpp"

namespace tessera::operations {
namespace {

std::int64_t pixels(imaging::Size size) {
    return size.width * size.height;
}

bool is_twice(imaging::Size larger, imaging::Size smaller) {
    return larger.width >= 2 * smaller.width && larger.height >= 2 * smaller.height;
}

imaging::Size size_of(const imaging::Image& image) {
    return {image.width(), image.height()};
}

}  // namespace

ResizeScales::ResizeScales(const ResizeSource& source, const std::vector<ResizeShape>& shapes,
                           std::function<bool()> cancelled)
    : source_(source), cancelled_(std::move(cancelled)), order_(shapes.size()) {
    for (const ResizeShape& shape : shapes) sizes_.push_back(stored_size(source, shape));
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    std::ranges::stable_sort(order_, std::greater(), [&](std::size_t i) { return pixels(sizes_[i]); });
}

bool ResizeScales::is_shared() const {
    const imaging::Size largest = sizes_[order_.front()];
    return std::ranges::any_of(sizes_, [&](imaging::Size size) { return size != largest && !is_twice(largest, size); });
}

JobResult<imaging::Image> ResizeScales::in_memory(const imaging::Image& image) const {
    imaging::SaveContext context;
    context.cancelled = cancelled_;
    return imaging::in_memory(image, context);
}

JobResult<void> ResizeScales::decode() {
    imaging::Size largest{1, 1};
    for (const imaging::Size& size : sizes_) {
        largest = {std::max(largest.width, size.width), std::max(largest.height, size.height)};
    }
    auto opened = imaging::open_part(source_.opened, source_.source, stored_area(source_), largest);
    if (!opened) return std::move(opened).error();
    if (sizes_.size() > 1) {
        auto image = imaging::to_srgb(opened->image);
        if (image && is_shared()) image = in_memory(*image);
        if (!image) return std::move(image).error();
        opened->image = *image;
    }
    decoded_ = std::move(*opened);
    return {};
}

const imaging::OpenedPart& ResizeScales::origin_for(imaging::Size size) const {
    for (const imaging::OpenedPart& made : std::views::reverse(made_)) {
        if (size_of(made.image) == size || is_twice(size_of(made.image), size)) return made;
    }
    return *decoded_;
}

JobResult<imaging::Image> ResizeScales::scaled(std::size_t shape) {
    if (!decoded_) {
        if (auto ok = decode(); !ok) return std::move(ok).error();
    }
    const imaging::Size size = sizes_[shape];
    const imaging::OpenedPart& origin = origin_for(size);
    auto image = imaging::scale_to(origin.image, origin.part, size);
    if (!image || sizes_.size() == 1) return image;
    image = in_memory(*image);
    if (image) made_.push_back({*image, imaging::Part::whole(size)});
    return image;
}

}  // namespace tessera::operations
