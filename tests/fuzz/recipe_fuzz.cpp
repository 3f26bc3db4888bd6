// Input: two bytes that say how long the recipe is; the recipe; and the tile it is for. What
// checksums guard is put right first, so that damage gets further. Following a recipe must stay within its buffers and
// bounds; and whatever a tile holds, it must be read as libjpeg reads it, and a change of it must come back from the
// recipe that was written for it. What a PNG tells of its bands is damaged, too.
#include <libdeflate.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <vector>

#include "codecs/jpeg/blocks.hpp"
#include "codecs/jpeg/coefficients.hpp"
#include "codecs/jpeg/tile_scan.hpp"
#include "codecs/recipe/jpeg_recipe.hpp"
#include "codecs/recipe/png_recipe.hpp"
#include "codecs/recipe/splice.hpp"
#include "core/hex.hpp"

namespace {

using namespace tessera;
using namespace tessera::codecs;
using Bytes = std::vector<std::uint8_t>;
using View = std::span<const std::uint8_t>;

constexpr int jpeg_size = 64;
constexpr int large_png_size = 192;  // so that the stream is cut in two
constexpr int small_png_size = 64;   // many times as quick
constexpr std::size_t most_tile_bytes = 65U << 20;

void require(bool fact, const char* what, View input) {
    if (fact) return;
    std::cerr << what << ":\n" << to_hex(input) << '\n';
    std::abort();
}

void set_big_endian(std::uint8_t* at, std::uint32_t value) {
    for (int i = 0; i < 4; ++i) at[i] = static_cast<std::uint8_t>(value >> (24 - 8 * i));
}

std::uint32_t big_endian_at(const std::uint8_t* at) {
    return std::uint32_t{at[0]} << 24 | std::uint32_t{at[1]} << 16 | std::uint32_t{at[2]} << 8 | at[3];
}

int png_size_of(View file) {
    const bool small = file.size() > 20 && big_endian_at(&file[16]) == small_png_size;
    return small ? small_png_size : large_png_size;
}

// The checksums of chunks, and that of the rows where they can be read at all.
void right_png_checksums(Bytes& file) {
    const auto size = static_cast<std::size_t>(png_size_of(file));
    for (std::size_t at = 8; at + 12 <= file.size();) {
        const std::size_t length = big_endian_at(&file[at]);
        if (length > file.size() - at - 12) return;
        std::uint8_t* body = &file[at] + 8;
        if (file[at + 4] == 'I' && file[at + 5] == 'D' && length > 6) {
            Bytes rows(size * (4 * size + 1));
            libdeflate_decompressor* inflate = libdeflate_alloc_decompressor();
            std::size_t made = 0;
            const auto result =
                libdeflate_deflate_decompress(inflate, body + 2, length - 6, rows.data(), rows.size(), &made);
            libdeflate_free_decompressor(inflate);
            if (result == LIBDEFLATE_SUCCESS) {
                set_big_endian(body + length - 4, libdeflate_adler32(1, rows.data(), made));
            }
        }
        set_big_endian(body + length, libdeflate_crc32(0, body - 4, length + 4));
        at += 12 + length;
    }
}

void follow(Bytes recipe, View base, View input) {
    constexpr std::size_t base_checksum = 5;  // after the magic number and the kind of stream
    if (recipe.size() >= base_checksum + 4) {
        set_big_endian(&recipe[base_checksum], libdeflate_crc32(0, base.data(), base.size()));
    }
    const auto tile = follow_recipe(recipe, base);
    require(!tile || tile->size() < most_tile_bytes, "a tile without bounds", input);
}

// Both readers must see the same in whatever libjpeg finds nothing wrong with.
void compare_readers(View base, View input) {
    auto ours = TileScan::read(base, jpeg_size);
    if (!ours) return;
    JpegCoefficients theirs;
    if (!theirs.read(base, jpeg_size)) return;
    const BlockPlanes& blocks = ours->blocks();
    require(blocks.layout() == theirs.layout(), "libjpeg sees other planes", input);
    for (int plane = 0; plane < blocks.planes(); ++plane) {
        require(std::ranges::equal(ours->quantisation(static_cast<std::size_t>(plane)), theirs.quantisation(plane)),
                "libjpeg sees another quantisation", input);
        blocks.each_block_in(plane, [&](int column, int row) {
            const std::int16_t* block = blocks.block(plane, column, row);
            require(std::equal(block, block + 64, theirs.block(plane, column, row)), "libjpeg sees another block",
                    input);
        });
    }
}

void change_jpeg(View base, View input) {
    auto blocks = JpegBlocks::open(base, jpeg_size);
    if (!blocks) return;
    ImageBuffer other(blocks->layout(), jpeg_size, jpeg_size);
    fill_rectangle(other, 0, 0, jpeg_size, jpeg_size, Colour{200, 30, static_cast<std::uint8_t>(base.size()), 255});
    const int place = static_cast<int>(base.size() % 8);
    blocks->encode(0, place, 7 - place, other);
    const auto recipe = jpeg_recipe(*blocks);
    if (!recipe) return;
    const auto tile = follow_recipe(*recipe, base);
    require(tile.ok(), "a recipe that can't be followed", input);
    const auto again = JpegBlocks::open(*tile, jpeg_size);
    require(again.ok() && again->layout() == blocks->layout(), "a tile that can't be opened", input);
    const auto difference = jpeg_recipe(*blocks, *again);
    static_cast<void>(difference);
}

// What is read of some rows must be what is read of all, whatever a file tells of its bands; and so must be the tile
// that a recipe makes of a change there.
void change_png(View base, View input) {
    const int png_size = png_size_of(base);
    const auto read = read_png_tile(base, png_size);
    const int top = static_cast<int>(base.size() % static_cast<std::size_t>(png_size - 20));
    const std::vector<PngRows> rows = {{top, top + 20}};
    const auto part = read_png_rows(base, png_size, rows);
    require(!read || part, "rows that can't be read of a tile that can", input);
    if (!read) return;
    ImageBuffer after(PixelLayout::rgba, png_size, png_size);
    read->paint(after, {0, png_size});
    require(part->shows(after, rows[0]), "rows of another picture", input);
    fill_rectangle(after, 9, top, 33, 20, Colour{200, 30, 90, 255});
    const ImageView view = after.view();
    for (const PngTile* tile : {&*read, &*part}) {
        const auto recipe = png_recipe(base, *tile, {*tile, view, rows});
        if (!recipe) continue;
        const auto made = follow_recipe(*recipe, base);
        require(made.ok(), "a recipe that can't be followed", input);
        const auto again = read_png_tile(*made, png_size);
        require(again && again->shows(after, {0, png_size}), "a recipe for another picture", input);
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const View input(data, size);
    if (size < 2) return 0;
    const View rest = input.subspan(2);
    const std::size_t length = std::min<std::size_t>(std::size_t{input[0]} << 8 | input[1], rest.size());
    const View recipe = rest.first(length);
    Bytes base(rest.begin() + static_cast<std::ptrdiff_t>(length), rest.end());
    if (base.size() > 8 && base[0] == 0x89) right_png_checksums(base);
    follow(Bytes(recipe.begin(), recipe.end()), base, input);
    compare_readers(base, input);
    change_jpeg(base, input);
    change_png(base, input);
    return 0;
}
