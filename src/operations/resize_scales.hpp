// The sizes that a job brings its source to, from one decode. Larger ones are made first, and the smaller are made from
// them where they are at least twice as large: what a reduction by two leaves out is nothing that the smaller one
// shows.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "imaging/picture/open_part.hpp"
#include "operations/resize_steps.hpp"

namespace tessera::operations {

class ResizeScales {
  public:
    ResizeScales(const ResizeSource& source, const std::vector<ResizeShape>& shapes, std::function<bool()> cancelled);

    // The order in which scaled() is to be asked, each once.
    [[nodiscard]] const std::vector<std::size_t>& order() const { return order_; }
    // The kept part of the source's rows at the size of that shape. A single one is not decoded yet; several are in
    // memory and in sRGB.
    JobResult<imaging::Image> scaled(std::size_t shape);

  private:
    JobResult<void> decode();
    [[nodiscard]] const imaging::OpenedPart& origin_for(imaging::Size size) const;
    // Whether what is decoded will be read more than once.
    [[nodiscard]] bool is_shared() const;
    JobResult<imaging::Image> in_memory(const imaging::Image& image) const;

    const ResizeSource& source_;
    std::function<bool()> cancelled_;
    std::vector<imaging::Size> sizes_;  // by shape, of rows as they lie in the file
    std::vector<std::size_t> order_;
    std::optional<imaging::OpenedPart> decoded_;
    std::vector<imaging::OpenedPart> made_;  // larger ones first
};

}  // namespace tessera::operations
