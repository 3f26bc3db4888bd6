#include "imaging/pixels/turned_rows.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "core/file.hpp"
#include "core/scratch_file.hpp"

namespace tessera::imaging {
namespace {

constexpr std::int64_t block = 256;  // pixels along each side

JobError disk_failed(const Error& error) {
    return {JobErrorCode::storage_unavailable, "scratch space could not be used", error.detail};
}

// The picture's blocks in their new places: row after row of blocks, each block of full size in the file.
class BlockFile {
  public:
    BlockFile(std::int64_t columns, int pixel_bytes)
        : columns_(columns), block_bytes_(static_cast<std::uint64_t>(block * block * pixel_bytes)) {}

    Result<void> create(const std::filesystem::path& folder) {
        auto made = make_scratch_file(folder);
        if (!made) return std::move(made).error();
        fd_ = *std::move(made);
        return {};
    }
    Result<void> write(std::int64_t row, std::int64_t column, const std::vector<std::uint8_t>& pixels) {
        const std::uint64_t offset = static_cast<std::uint64_t>(row * columns_ + column) * block_bytes_;
        return write_at(fd_.get(), offset, pixels);
    }
    Result<void> read(std::int64_t row, std::int64_t column, std::vector<std::uint8_t>& pixels) const {
        return read_exactly_at(fd_.get(), static_cast<std::uint64_t>(row * columns_ + column) * block_bytes_, pixels);
    }

  private:
    UniqueFd fd_;
    std::int64_t columns_;
    std::uint64_t block_bytes_;
};

// Lengths along one axis of the source, cut so that the blocks fit together when that axis is reversed: the odd
// piece comes first then, and last otherwise.
std::vector<std::int64_t> cut(std::int64_t length, bool reversed) {
    std::vector<std::int64_t> parts(static_cast<std::size_t>((length + block - 1) / block), block);
    if (length % block != 0) (reversed ? parts.front() : parts.back()) = length % block;
    return parts;
}

class TurnedRows;

// Takes the source's strips, cuts them into blocks and puts each, turned, where it belongs.
class BlockSink final : public RowSink {
  public:
    BlockSink(const RowSource& source, Turn turn, BlockFile& file);
    JobResult<RowSpace> space() override { return RowSpace{&strip_, filled_, strips_[strip_index_] - filled_}; }
    JobResult<void> commit(std::int64_t rows) override;

  private:
    Result<void> place(std::size_t column, std::int64_t x, std::int64_t width, std::int64_t height);

    Turn turn_;
    BlockFile& file_;
    std::vector<std::int64_t> strips_;
    std::vector<std::int64_t> columns_;
    std::size_t strip_index_ = 0;
    std::int64_t filled_ = 0;
    ImageBuffer strip_;
    std::vector<std::uint8_t> block_;
};

// Which source axes run backwards in the result, and whether they change places.
struct Axes {
    bool swap = false;
    bool reverse_x = false;  // of the source
    bool reverse_y = false;
};

Axes axes_of(Turn turn) {
    // Clockwise by a quarter: the source's top row becomes the right column, so its y runs backwards.
    Axes axes;
    switch (turn.quarters) {
        case 1: axes = {true, false, true}; break;
        case 2: axes = {false, true, true}; break;
        case 3: axes = {true, true, false}; break;
        default: break;
    }
    if (turn.mirrored) axes.reverse_x = !axes.reverse_x;
    return axes;
}

BlockSink::BlockSink(const RowSource& source, Turn turn, BlockFile& file)
    : turn_(turn),
      file_(file),
      strips_(cut(source.height(), axes_of(turn).reverse_y)),
      columns_(cut(source.width(), axes_of(turn).reverse_x)),
      strip_(source.layout(), source.width(), block),
      block_(static_cast<std::size_t>(block * block * bytes_per_pixel(source.layout()))) {}

JobResult<void> BlockSink::commit(std::int64_t rows) {
    filled_ += rows;
    if (filled_ < strips_[strip_index_]) return {};
    std::int64_t x = 0;
    for (std::size_t column = 0; column < columns_.size(); ++column) {
        if (auto put = place(column, x, columns_[column], filled_); !put) return disk_failed(put.error());
        x += columns_[column];
    }
    filled_ = 0;
    if (strip_index_ + 1 < strips_.size()) ++strip_index_;
    return {};
}

Result<void> BlockSink::place(std::size_t column, std::int64_t x, std::int64_t width, std::int64_t height) {
    const Axes axes = axes_of(turn_);
    const auto bytes = static_cast<std::size_t>(bytes_per_pixel(strip_.layout()));
    for (std::int64_t y = 0; y < height; ++y) {
        const std::uint8_t* from = strip_.row(0, y) + static_cast<std::size_t>(x) * bytes;
        const std::int64_t v = axes.reverse_y ? height - 1 - y : y;
        for (std::int64_t i = 0; i < width; ++i, from += bytes) {
            const std::int64_t u = axes.reverse_x ? width - 1 - i : i;
            const std::int64_t at = axes.swap ? u * block + v : v * block + u;
            std::memcpy(block_.data() + static_cast<std::size_t>(at) * bytes, from, bytes);
        }
    }
    const auto u = static_cast<std::int64_t>(axes.reverse_x ? columns_.size() - 1 - column : column);
    const auto v = static_cast<std::int64_t>(axes.reverse_y ? strips_.size() - 1 - strip_index_ : strip_index_);
    return axes.swap ? file_.write(u, v, block_) : file_.write(v, u, block_);
}

class TurnedRows final : public RowSource {
  public:
    TurnedRows(std::unique_ptr<RowSource> inner, Turn turn, std::filesystem::path scratch)
        : inner_(std::move(inner)), turn_(turn), scratch_(std::move(scratch)) {}

    [[nodiscard]] std::int64_t width() const override { return swapped() ? inner_->height() : inner_->width(); }
    [[nodiscard]] std::int64_t height() const override { return swapped() ? inner_->width() : inner_->height(); }
    [[nodiscard]] PixelLayout layout() const override { return inner_->layout(); }

    JobResult<void> pour(RowSink& sink) override {
        BlockFile file((width() + block - 1) / block, bytes_per_pixel(layout()));
        if (auto made = file.create(scratch_); !made) return disk_failed(made.error());
        BlockSink blocks(*inner_, turn_, file);
        if (auto poured = inner_->pour(blocks); !poured) return poured;
        return pour_blocks(file, sink);
    }

  private:
    [[nodiscard]] bool swapped() const { return turn_.quarters % 2 == 1; }

    JobResult<void> pour_blocks(const BlockFile& file, RowSink& sink) const {
        const auto bytes = static_cast<std::size_t>(bytes_per_pixel(layout()));
        std::vector<std::uint8_t> pixels(static_cast<std::size_t>(block * block) * bytes);
        ImageBuffer strip(layout(), width(), block);
        for (std::int64_t top = 0; top < height(); top += block) {
            for (std::int64_t left = 0; left < width(); left += block) {
                if (auto got = file.read(top / block, left / block, pixels); !got) return disk_failed(got.error());
                const auto columns = static_cast<std::size_t>(std::min(block, width() - left));
                for (std::int64_t y = 0; y < block; ++y) {
                    std::memcpy(strip.row(0, y) + static_cast<std::size_t>(left) * bytes,
                                pixels.data() + static_cast<std::size_t>(y * block) * bytes, columns * bytes);
                }
            }
            if (auto given = give(strip, std::min(block, height() - top), sink); !given) return given;
        }
        return {};
    }

    [[nodiscard]] JobResult<void> give(const ImageBuffer& strip, std::int64_t rows, RowSink& sink) const {
        const auto row_bytes = static_cast<std::size_t>(width() * bytes_per_pixel(layout()));
        for (std::int64_t done = 0; done < rows;) {
            auto space = sink.space();
            if (!space) return std::move(space).error();
            const std::int64_t count = std::min(space->count, rows - done);
            for (std::int64_t i = 0; i < count; ++i) {
                std::memcpy(space->buffer->row(0, space->row + i), strip.row(0, done + i), row_bytes);
            }
            if (auto committed = sink.commit(count); !committed) return committed;
            done += count;
        }
        return {};
    }

    std::unique_ptr<RowSource> inner_;
    Turn turn_;
    std::filesystem::path scratch_;
};

}  // namespace

std::unique_ptr<RowSource> turned(std::unique_ptr<RowSource> inner, Turn turn, std::filesystem::path scratch) {
    if (turn.none()) return inner;
    return std::make_unique<TurnedRows>(std::move(inner), turn, std::move(scratch));
}

}  // namespace tessera::imaging
