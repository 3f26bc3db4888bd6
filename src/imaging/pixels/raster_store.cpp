#include "imaging/pixels/raster_store.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <vector>

#include "core/scratch_file.hpp"

namespace tessera::imaging {
namespace {

constexpr std::int64_t strip_rows = 64;

JobError disk_failed(std::string detail) {
    return {JobErrorCode::storage_unavailable, "scratch space could not be used", std::move(detail)};
}

// Takes rows as they come and writes those parts that fall into the raster.
class RasterSink final : public RowSink {
  public:
    RasterSink(int fd, const Raster& raster, const RowSource& source, Offset at)
        : fd_(fd),
          raster_(raster),
          at_(at),
          height_(source.height()),
          strip_(source.layout(), source.width(), strip_rows),
          colours_(PixelLayout::rgba, source.width(), 1) {}

    JobResult<RowSpace> space() override { return RowSpace{&strip_, 0, std::min(strip_rows, height_ - done_)}; }

    JobResult<void> commit(std::int64_t rows) override {
        const std::int64_t left = std::max<std::int64_t>(at_.left, 0);
        const std::int64_t count = std::min(raster_.width, at_.left + strip_.width()) - left;
        for (std::int64_t i = 0; i < rows; ++i) {
            const std::int64_t y = at_.top + done_ + i;
            if (y < 0 || y >= raster_.height || count <= 0) continue;
            copy_as_colour(strip_.view(0, i, static_cast<int>(strip_.width()), 1), colours_);
            const std::uint64_t offset = raster_.offset + 4 * static_cast<std::uint64_t>(y * raster_.width + left);
            const std::span<const std::uint8_t> pixels(colours_.row(0, 0) + 4 * (left - at_.left),
                                                       4 * static_cast<std::size_t>(count));
            if (auto put = write_at(fd_, offset, pixels); !put) return disk_failed(put.error().detail);
        }
        done_ += rows;
        return {};
    }

  private:
    int fd_;
    Raster raster_;
    Offset at_;
    std::int64_t height_;
    std::int64_t done_ = 0;
    ImageBuffer strip_;
    ImageBuffer colours_;
};

}  // namespace

JobResult<Raster> RasterStore::add(RowSource& source, Size size, Offset at) {
    if (!file_) {
        auto made = make_scratch_file(scratch_);
        if (!made) return disk_failed(made.error().detail);
        file_ = *std::move(made);
    }
    const Raster raster{size_, size.width, size.height};
    // What is never written reads as zeros, which is transparent.
    const std::uint64_t end = size_ + 4 * static_cast<std::uint64_t>(size.width * size.height);
    if (::ftruncate(file_.get(), static_cast<off_t>(end)) != 0)
        return disk_failed(from_errno("grow a scratch file").detail);
    size_ = end;
    RasterSink sink(file_.get(), raster, source, at);
    if (auto poured = source.pour(sink); !poured) return std::move(poured).error();
    return raster;
}

JobResult<void> RasterStore::read(const Raster& raster, std::int64_t x, std::int64_t y, ImageBuffer& out) const {
    const auto bytes = static_cast<std::size_t>(out.width()) * 4;
    for (std::int64_t row = 0; row < out.height(); ++row) {
        const std::uint64_t offset = raster.offset + 4 * static_cast<std::uint64_t>((y + row) * raster.width + x);
        if (auto got = read_exactly_at(file_.get(), offset, {out.row(0, row), bytes}); !got)
            return disk_failed(got.error().detail);
    }
    return {};
}

}  // namespace tessera::imaging
