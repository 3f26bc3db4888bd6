// A reader for plain JPEGs that are wanted at a half, a quarter or an eighth of their size. It
// never makes what a smaller picture does not show: the fine detail that most of a file's bits are for is passed over.
// The other kinds are left to libjpeg.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "codecs/jpeg/head.hpp"
#include "codecs/jpeg/reduced/component.hpp"
#include "codecs/jpeg/reduced/progressive.hpp"
#include "codecs/jpeg/reduced/sequential.hpp"

namespace tessera::codecs {

class ReducedJpeg {
  public:
    // Null where the file is not of a plain kind. The descriptor stays the caller's.
    static std::unique_ptr<ReducedJpeg> open(int fd, int shrink);
    ReducedJpeg(const ReducedJpeg&) = delete;
    ReducedJpeg& operator=(const ReducedJpeg&) = delete;
    ~ReducedJpeg() = default;

    // As libjpeg has them at this scale: grey, or RGB.
    [[nodiscard]] int width() const { return width_; }
    [[nodiscard]] int height() const { return height_; }
    [[nodiscard]] int bands() const { return static_cast<int>(head_.components.size()); }

    // The next row. False where the file is damaged, and `complaint` says how.
    bool next_row(std::uint8_t* out);
    [[nodiscard]] const char* complaint() const { return complaint_; }

  private:
    struct Samples {
        std::size_t stride = 0;
        std::vector<std::uint8_t> rows;
    };

    ReducedJpeg(UniqueFd file, int shrink);
    bool prepare();
    const char* read_all_scans();
    const char* read_scan();
    const char* next_strip();
    void show(std::uint8_t* out) const;

    JpegInput input_;
    int shrink_;
    JpegHead head_;
    JpegTables tables_;
    JpegScan scan_;
    bool streams_ = false;  // all is in one scan, so that a row of MCUs at a time is enough
    std::optional<SequentialScan> only_scan_;
    std::vector<ReducedComponent> components_;
    std::optional<ProgressiveScans> progressive_;
    std::vector<Samples> samples_;
    int width_ = 0;
    int height_ = 0;
    int strip_ = -1;      // rows of MCUs done
    int strip_rows_ = 0;  // rows of pixels in each
    int next_row_ = 0;
    const char* complaint_ = "";
};

}  // namespace tessera::codecs
