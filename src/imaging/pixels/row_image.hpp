// Inside imaging only: a libvips picture whose rows our own code makes, each once, from top to bottom. Where all that
// leads to a picture is of that kind, its rows can be had without libvips, which takes longer to start its threads and
// to clear its buffers than a small picture takes to be made.
#pragma once

#include <cstdint>
#include <memory>
#include <vips/vips8>

namespace tessera::imaging {

inline std::size_t pixel_bytes(const vips::VImage& image) {
    return vips_format_sizeof(image.format()) * static_cast<std::size_t>(image.bands());
}
inline std::size_t row_bytes(const vips::VImage& image) {
    return pixel_bytes(image) * static_cast<std::size_t>(image.width());
}

// The rows of a picture, from top to bottom.
class RowReader {
  public:
    RowReader() = default;
    RowReader(const RowReader&) = delete;
    RowReader& operator=(const RowReader&) = delete;
    virtual ~RowReader() = default;
    // The next one, until it is asked again. Null after vips_error().
    virtual const std::uint8_t* next() = 0;
};

class RowMaker {
  public:
    RowMaker() = default;
    RowMaker(const RowMaker&) = delete;
    RowMaker& operator=(const RowMaker&) = delete;
    virtual ~RowMaker() = default;
    // Writes the next row. `upstream` reads the picture that this one is made from, where there is one. False after
    // vips_error().
    virtual bool write(std::uint8_t* out, RowReader* upstream) = 0;
};

// A picture of this size, otherwise like `model`: bands, format, metadata. With `reads_model` its rows come from the
// model's. Throws VError.
vips::VImage image_of_rows(const vips::VImage& model, int width, int height, std::unique_ptr<RowMaker> maker,
                           bool reads_model);

// `maker` makes the same rows from the model's as libvips makes `image` of.
void make_rows_also_by(std::unique_ptr<RowMaker> maker, const vips::VImage& model, const vips::VImage& image);

// For other metadata. Its rows come in the same way. Throws VError.
vips::VImage copy_of(const vips::VImage& image);

// Rows that no part of libvips has to make: of pictures as above, or in memory. Null for others.
std::unique_ptr<RowReader> rows_without_libvips(const vips::VImage& image);

}  // namespace tessera::imaging
