#include "codecs/png/reader.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <string>
#include <vips/vips8>

#include "imaging/pixels/vips_runtime.hpp"
#include "support/images.hpp"

namespace tessera::codecs {
namespace {

using test::file_with;
using test::png_chunk;
using test::png_header;
using test::zlib_compressed;
using vips::VImage;

struct Kind {
    int colour_type;
    int bit_depth;
    int bits() const {
        const int channels = colour_type == 2 ? 3 : colour_type == 4 ? 2 : colour_type == 6 ? 4 : 1;
        return channels * bit_depth;
    }
};

constexpr Kind kinds[] = {{0, 1}, {0, 2}, {0, 4}, {0, 8}, {0, 16}, {2, 8}, {2, 16}, {3, 1},
                          {3, 2}, {3, 4}, {3, 8}, {4, 8}, {4, 16}, {6, 8}, {6, 16}};

// Any bytes are the differences of some picture: noise tries every filter with everything.
std::string noise_rows(const Kind& kind, int width, int height, std::mt19937& random) {
    const int row_bytes = (width * kind.bits() + 7) / 8;
    std::string rows;
    for (int y = 0; y < height; ++y) {
        rows += static_cast<char>(random() % 5);
        for (int x = 0; x < row_bytes; ++x) rows += static_cast<char>(random() % 3 == 0 ? random() : random() % 4);
    }
    return rows;
}

std::string palette_chunks(const Kind& kind, bool alphas, std::mt19937& random) {
    if (kind.colour_type != 3) return {};
    std::string colours(std::size_t{3} << kind.bit_depth, '\0');
    std::string opacities((std::size_t{1} << kind.bit_depth) / 2 + 1, '\0');
    for (char& c : colours) c = static_cast<char>(random());
    for (char& c : opacities) c = static_cast<char>(random());
    return png_chunk("PLTE", colours) + (alphas ? png_chunk("tRNS", opacities) : "");
}

std::string pixel_chunks(const std::string& packed, std::size_t most) {
    std::string chunks;
    for (std::size_t at = 0; at < packed.size(); at += most) chunks += png_chunk("IDAT", packed.substr(at, most));
    return chunks;
}

std::string png_of(const Kind& kind, int width, int height, unsigned seed, bool alphas = false,
                   std::size_t chunk_size = 1 << 20) {
    std::mt19937 random(seed);
    std::string file = png_header(static_cast<std::uint32_t>(width), static_cast<std::uint32_t>(height), kind.bit_depth,
                                  kind.colour_type);
    file += palette_chunks(kind, alphas, random);
    file += pixel_chunks(zlib_compressed(noise_rows(kind, width, height, random)), chunk_size);
    return file + png_chunk("IEND", "");
}

struct Read {
    bool opened = false;
    bool whole = false;
    std::string pixels;
    std::string complaint;
};

Read read_with_ours(const std::string& bytes) {
    Read read;
    const auto file = file_with(bytes);
    const auto reader = PngReader::open(file.get());
    if (!reader) return read;
    read.opened = true;
    for (int y = 0; y < reader->height(); ++y) {
        const std::uint8_t* row = reader->next_row();
        if (row == nullptr) {
            read.complaint = reader->complaint();
            return read;
        }
        read.pixels.append(reinterpret_cast<const char*>(row), reader->row_size());
    }
    read.whole = true;
    return read;
}

std::string read_with_libvips(const std::string& bytes) {
    const auto fd = file_with(bytes);
    const VImage image = VImage::pngload_source(
        vips::VSource::new_from_descriptor(fd.get()),
        VImage::option()->set("access", VIPS_ACCESS_SEQUENTIAL)->set("fail_on", VIPS_FAIL_ON_ERROR));
    std::size_t size = 0;
    void* memory = image.write_to_memory(&size);
    std::string pixels(static_cast<const char*>(memory), size);
    g_free(memory);
    return pixels;
}

class PngReaderTest : public testing::Test {
  protected:
    void SetUp() override { ASSERT_TRUE(imaging::start_vips().ok()); }
    static void expect_alike(const std::string& bytes, const std::string& what) {
        const Read ours = read_with_ours(bytes);
        ASSERT_TRUE(ours.whole) << what << ": " << ours.complaint;
        ASSERT_TRUE(ours.pixels == read_with_libvips(bytes)) << what;
    }
    static void expect_refused(const std::string& bytes, const std::string& what) {
        EXPECT_FALSE(read_with_ours(bytes).whole) << what;
    }
};

TEST_F(PngReaderTest, ReadsEveryPlainKindAsLibpngDoes) {
    for (const Kind& kind : kinds) {
        for (const int width : {1, 2, 3, 5, 7, 8, 9, 17, 64, 333}) {
            for (const int height : {1, 2, 11}) {
                const std::string what = "type " + std::to_string(kind.colour_type) + " depth " +
                                         std::to_string(kind.bit_depth) + ", " + std::to_string(width) + " x " +
                                         std::to_string(height);
                expect_alike(png_of(kind, width, height, static_cast<unsigned>(width * height)), what);
                if (kind.colour_type == 3) expect_alike(png_of(kind, width, height, 7, true), what + " with alphas");
            }
        }
    }
}

TEST_F(PngReaderTest, ReadsPicturesOfManyStripsAndChunks) {
    expect_alike(png_of({2, 8}, 900, 700, 1), "one chunk");
    expect_alike(png_of({6, 16}, 300, 400, 2, false, 8192), "chunks of 8 KiB");
    expect_alike(png_of({0, 8}, 40, 30, 3, false, 1), "chunks of one byte");
    expect_alike(png_of({3, 4}, 1000, 700, 4, true, 100), "chunks of 100 bytes");
}

TEST_F(PngReaderTest, PassesOverEmptyChunksAndChunksItDoesNotKnow) {
    std::mt19937 random(5);
    const std::string packed = zlib_compressed(noise_rows({2, 8}, 30, 20, random));
    const std::string empty = png_chunk("IDAT", "");
    std::string file = png_header(30, 20) + png_chunk("gAMA", std::string("\0\0\xb1\x8f", 4));
    file += png_chunk("tEXt", std::string("Comment\0text", 12)) + png_chunk("PLTE", "abcdef");
    file +=
        empty + png_chunk("IDAT", packed.substr(0, 1)) + empty + empty + png_chunk("IDAT", packed.substr(1)) + empty;
    expect_alike(file + png_chunk("tEXt", std::string("Late\0text", 9)) + png_chunk("IEND", ""), "odd chunks");
}

TEST_F(PngReaderTest, LetsBeWhatFollowsTheLastRow) {
    std::mt19937 random(6);
    const std::string rows = noise_rows({2, 8}, 30, 20, random);
    const std::string more = png_header(30, 20) + png_chunk("IDAT", zlib_compressed(rows + std::string(9999, 'x')));
    EXPECT_TRUE(read_with_ours(more + png_chunk("IEND", "")).whole);
    EXPECT_TRUE(read_with_ours(png_header(30, 20) + png_chunk("IDAT", zlib_compressed(rows) + "junk")).whole);
}

TEST_F(PngReaderTest, LeavesOtherKindsToLibvips) {
    std::string interlaced = png_of({2, 8}, 8, 8, 8);
    EXPECT_TRUE(read_with_ours(interlaced).opened);
    std::string header("\0\0\0\x08\0\0\0\x08\x08\2\0\0\1", 13);
    interlaced.replace(8, 25, png_chunk("IHDR", header));
    EXPECT_FALSE(read_with_ours(interlaced).opened);

    std::mt19937 random(9);
    const std::string pixels = png_chunk("IDAT", zlib_compressed(noise_rows({2, 8}, 8, 8, random)));
    EXPECT_FALSE(read_with_ours(png_header(8, 8) + png_chunk("tRNS", std::string(6, '\0')) + pixels).opened);
    EXPECT_FALSE(read_with_ours(png_header(8, 8) + png_chunk("ABCD", "") + pixels).opened);
    EXPECT_FALSE(read_with_ours(png_header(8, 8, 8, 3) + pixels).opened) << "no palette";
    EXPECT_FALSE(read_with_ours(png_header(8, 8, 4, 2) + pixels).opened) << "no such depth";
    EXPECT_FALSE(read_with_ours(png_header(8, 8, 8, 5) + pixels).opened) << "no such colour type";
    EXPECT_FALSE(read_with_ours(png_header(0, 8) + pixels).opened);
    EXPECT_FALSE(read_with_ours(png_header(8, 0x80000000U) + pixels).opened);
    EXPECT_FALSE(read_with_ours(png_header(9'000'000, 1) + pixels).opened) << "rows of absurd length";
    EXPECT_FALSE(read_with_ours(png_header(8, 8)).opened);
    EXPECT_FALSE(read_with_ours("").opened);
}

// What comes after the last pixel: the checksums of the pixels and of their chunk, and the end chunk.
constexpr std::size_t after_pixels = 4 + 4 + 12;

TEST_F(PngReaderTest, RefusesEveryTruncationOfPixelsAndNoOther) {
    const std::string file = png_of({6, 8}, 20, 20, 10, false, 500);
    // The last code of all says that there are no more, and may share a byte with the last pixel or begin another.
    for (std::size_t size = 0; size < file.size() - after_pixels - 2; ++size) {
        expect_refused(file.substr(0, size), "cut to " + std::to_string(size));
    }
    for (std::size_t size = file.size() - after_pixels; size < file.size(); ++size) {
        EXPECT_TRUE(read_with_ours(file.substr(0, size)).whole) << "cut to " << size;
    }
}

// A flipped bit is found by a checksum wherever it is in what the picture is made of.
TEST_F(PngReaderTest, RefusesEveryFlippedBit) {
    const std::string file = png_of({3, 8}, 16, 16, 11, true, 1000);
    const std::size_t end_chunk = 12;
    for (std::size_t at = 0; at < file.size() - end_chunk; ++at) {
        const std::size_t pixels = file.find("IDAT");
        if (at >= pixels - 4 && at < pixels) continue;  // a length: the chunk then has no checksum where one should be
        std::string damaged = file;
        damaged[at] = static_cast<char>(damaged[at] ^ (1 << at % 8));
        expect_refused(damaged, "flipped in byte " + std::to_string(at));
    }
}

TEST_F(PngReaderTest, ChecksumsOfChunksAreBelievedAndPixelsAreCounted) {
    std::mt19937 random(12);
    const std::string rows = noise_rows({2, 8}, 30, 20, random);
    std::string packed = zlib_compressed(rows);
    packed.back() = static_cast<char>(packed.back() ^ 1);
    EXPECT_TRUE(read_with_ours(png_header(30, 20) + png_chunk("IDAT", packed)).whole) << "another checksum";
    packed = zlib_compressed(rows);
    EXPECT_TRUE(read_with_ours(png_header(30, 20) + png_chunk("IDAT", packed.substr(0, packed.size() - 4))).whole);
    expect_refused(png_header(30, 21) + png_chunk("IDAT", packed), "a row is missing");
    std::string strange = rows;
    strange[0] = 5;
    expect_refused(png_header(30, 20) + png_chunk("IDAT", zlib_compressed(strange)), "a fifth filter");
    packed = zlib_compressed(rows);
    packed[0] = 0x79;  // another method
    expect_refused(png_header(30, 20) + png_chunk("IDAT", packed), "no zlib");
}

}  // namespace
}  // namespace tessera::codecs
