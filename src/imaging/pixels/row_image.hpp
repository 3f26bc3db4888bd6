// Inside imaging only: a libvips picture whose rows our own code makes, each once, from top to bottom.
#pragma once

#include <cstdint>
#include <memory>
#include <vips/vips8>

namespace tessera::imaging {

class RowMaker {
  public:
    RowMaker() = default;
    RowMaker(const RowMaker&) = delete;
    RowMaker& operator=(const RowMaker&) = delete;
    virtual ~RowMaker() = default;
    // Writes the next row. `upstream` is on the picture that this one is made from, where there is one. False after
    // vips_error().
    virtual bool write(std::uint8_t* out, VipsRegion* upstream) = 0;
};

// A picture of this size, otherwise like `model`: bands, format, metadata. With `reads_model` its rows come from the
// model's. Throws VError.
vips::VImage image_of_rows(const vips::VImage& model, int width, int height, std::unique_ptr<RowMaker> maker,
                           bool reads_model);

}  // namespace tessera::imaging
