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
    int level = 6;                 // libdeflate's, 1 to 12
    int tried_filterings = 0;      // at `level`, the best of those that are compressed quickly; the smallest file stays
    bool measures_rows = false;    // among them is one that compresses every row with every filter
    bool thorough_photos = false;  // these are deflated in a second way, which is better for most photographs
    bool quick_photos = false;     // what looks like a photograph is deflated without a search for what repeats
    bool in_bands = false;         // such a photograph, if it has colours, is written in bands
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
    // One filter for all rows; one for each row, by what it makes of it; or by how short it is behind those above.
    enum class Strategy { none, sub, up, average, paeth, smallest_sum, fewest_bits, fewest_bits_in_pairs, shortest };
    struct Rows {
        const std::uint8_t* first;
        std::size_t stride;
    };
    struct Free {
        void operator()(libdeflate_compressor* compressor) const;
    };

    void filter(const PngPixels& pixels, Rows rows, Strategy strategy);
    std::uint8_t shortest_filter(const PngRowFilter& filter, const std::uint8_t* row, const std::uint8_t* above,
                                 std::span<const std::uint8_t> measured, std::uint8_t* out);
    std::size_t deflated_size(std::span<const std::uint8_t> bytes, int level);
    bool promises_to_gain(int level, std::size_t deflated);
    std::vector<Strategy> by_promise(const PngPixels& pixels, Rows rows, bool measures_rows);
    void try_filterings(const PngPixels& pixels, Rows rows, const PngEncoding& encoding);
    void deflate(const PngPixels& pixels, Rows rows, const PngEncoding& encoding);
    void append_deflated(int level);
    void append_photo(const PngPixels& pixels, Rows rows, bool in_bands);
    libdeflate_compressor* compressor(int level);
    void write_palette(const PngPixels& pixels);
    template <typename Body>
    void chunk(std::string_view type, Body body);

    int level_ = 0;
    std::unique_ptr<libdeflate_compressor, Free> compressor_;  // of this level
    std::vector<std::uint8_t> filtered_;
    std::vector<std::uint8_t> bands_;  // what is told of them, if there are any
    std::vector<std::uint8_t> tried_;
    std::vector<std::uint8_t> file_;
};

// A chunk with its length and checksum.
std::string png_chunk(std::string_view type, std::string_view data);

// The iCCP chunk of a colour profile.
std::string png_profile_chunk(std::string_view profile);

}  // namespace tessera::codecs
