// Writes PNG files, of tiles and of pictures.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "codecs/png/filter.hpp"
#include "codecs/png/pixels.hpp"

struct libdeflate_compressor;

namespace tessera::codecs {

struct PngEncoding {
    int level = 6;              // libdeflate's, 1 to 12
    bool try_filters = false;   // compress quickly with each filter, and thoroughly with the best
    bool quick_photos = false;  // what looks like a photograph is deflated without a search for what repeats
};

// Serves one thread and many pictures, and keeps its buffers between them.
class PngEncoder {
  public:
    PngEncoder();
    ~PngEncoder();
    PngEncoder(const PngEncoder&) = delete;
    PngEncoder& operator=(const PngEncoder&) = delete;

    // The file. `rows` are the pixels' where they have none of their own, `stride` bytes apart. The bytes are the
    // encoder's own until the next call. Throws std::bad_alloc.
    std::span<const std::uint8_t> encode(const PngPixels& pixels, const PngEncoding& encoding,
                                         const std::uint8_t* rows = nullptr, std::size_t stride = 0);

  private:
    enum class Strategy { none, sub, up, average, paeth, smallest_sum };
    struct Rows {
        const std::uint8_t* first;
        std::size_t stride;
    };
    struct Free {
        void operator()(libdeflate_compressor* compressor) const;
    };

    void filter(const PngPixels& pixels, Rows rows, Strategy strategy);
    Strategy most_promising(const PngPixels& pixels, Rows rows);
    void deflate(const PngPixels& pixels, const PngEncoding& encoding);
    void append_deflated(int level);
    void write_palette(const PngPixels& pixels);
    template <typename Body>
    void chunk(std::string_view type, Body body);

    int level_ = 0;
    std::unique_ptr<libdeflate_compressor, Free> compressor_;  // of this level
    std::vector<std::uint8_t> filtered_;
    std::vector<std::uint8_t> file_;
};

// A chunk with its length and checksum.
std::string png_chunk(std::string_view type, std::string_view data);

// The iCCP chunk of a colour profile.
std::string png_profile_chunk(std::string_view profile);

}  // namespace tessera::codecs
