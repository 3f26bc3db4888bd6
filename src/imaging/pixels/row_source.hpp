// A picture that is decoded once, from top to bottom, into memory that the receiver provides.
#pragma once

#include <cstdint>

#include "core/job.hpp"
#include "core/pixels.hpp"
#include "core/result.hpp"

namespace tessera::imaging {

// Rows [row, row + count) of the buffer are free to be written.
struct RowSpace {
    ImageBuffer* buffer = nullptr;
    std::int64_t row = 0;
    std::int64_t count = 0;
};

class RowSink {
  public:
    virtual ~RowSink() = default;
    // Where the next rows go. For a source with three planes it is a multiple of 16 rows, or all that are left of the
    // picture with room up to the next multiple.
    virtual JobResult<RowSpace> space() = 0;
    // The next `rows` rows are there.
    virtual JobResult<void> commit(std::int64_t rows) = 0;
};

class RowSource {
  public:
    RowSource() = default;
    RowSource(const RowSource&) = delete;
    RowSource& operator=(const RowSource&) = delete;
    virtual ~RowSource() = default;

    [[nodiscard]] virtual std::int64_t width() const = 0;
    [[nodiscard]] virtual std::int64_t height() const = 0;
    [[nodiscard]] virtual PixelLayout layout() const = 0;
    // Gives every row of the picture to the sink. Once only.
    virtual JobResult<void> pour(RowSink& sink) = 0;
};

}  // namespace tessera::imaging
