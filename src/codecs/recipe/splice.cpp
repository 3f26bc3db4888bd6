#include "codecs/recipe/splice.hpp"

#include <libdeflate.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "codecs/bits/bit_writer.hpp"
#include "codecs/jpeg/markers.hpp"
#include "codecs/jpeg/stuffing.hpp"
#include "codecs/png/chunks.hpp"

namespace tessera::codecs {
namespace {

using Bytes = std::vector<std::uint8_t>;
using View = std::span<const std::uint8_t>;

constexpr std::array<std::uint8_t, 4> magic = {'T', 'S', 'P', '1'};
constexpr std::size_t largest_tile = std::size_t{8} << 20;
constexpr std::size_t most_steps = 1 << 16;
constexpr std::size_t smallest_step = 3;  // bytes of a recipe
constexpr std::array<std::uint8_t, 12> png_end = {0, 0, 0, 0, 'I', 'E', 'N', 'D', 0xae, 0x42, 0x60, 0x82};
constexpr std::size_t zlib_header = 2;
constexpr std::size_t zlib_trailer = 4;
constexpr std::size_t chunk_frame = 8;  // length and name before a chunk's data

std::uint32_t crc_of(View bytes) {
    return libdeflate_crc32(0, bytes.data(), bytes.size());
}

void put_number(Bytes& out, std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) out.push_back(static_cast<std::uint8_t>(value | 0x80));
    out.push_back(static_cast<std::uint8_t>(value));
}

// Reads what the two above wrote. After anything is wrong, all is zero.
class Reader {
  public:
    explicit Reader(View bytes) : bytes_(bytes) {}
    std::uint32_t be32() {
        const View four = take(4);
        if (!sound_) return 0;
        return big_endian(four.data());
    }
    std::size_t number() {
        std::uint64_t value = 0;
        for (unsigned shift = 0; shift < 63; shift += 7) {
            const View byte = take(1);
            if (!sound_) return 0;
            value |= std::uint64_t{byte[0] & 0x7fU} << shift;
            if (byte[0] < 0x80) return value;
        }
        sound_ = false;
        return 0;
    }
    View take(std::size_t count) {
        if (!sound_ || count > bytes_.size()) {
            sound_ = false;
            return {};
        }
        const View taken = bytes_.first(count);
        bytes_ = bytes_.subspan(count);
        return taken;
    }
    [[nodiscard]] bool sound() const { return sound_; }
    [[nodiscard]] bool at_end() const { return bytes_.empty(); }

  private:
    View bytes_;
    bool sound_ = true;
};

// The stream of a JPEG tile, with bit_slack after it; nothing where the tile is not of the expected shape.
std::optional<Bytes> scan_of(const Splice& splice, View tile) {
    if (splice.head > tile.size()) return std::nullopt;
    std::size_t end = 0;
    Bytes scan = unstuffed(tile.subspan(splice.head), end);
    const View rest = tile.subspan(splice.head + end);
    if (rest.size() != 2 || rest[0] != 0xff || rest[1] != jpeg_eoi) return std::nullopt;
    return scan;
}

// The stream of a PNG tile, after which there are its checksums, perhaps a chunk that tells of bands, which is left out
// of what is made, and the last chunk: more than bit_slack.
std::optional<View> deflate_of(const Splice& splice, View tile) {
    constexpr std::size_t after = zlib_trailer + 4 + png_end.size();
    static_assert(after >= bit_slack);
    if (splice.head < chunk_frame + zlib_header || splice.head > tile.size()) return std::nullopt;
    if (tile.size() - splice.head < after) return std::nullopt;
    return tile.subspan(splice.head, tile.size() - splice.head - after + bit_slack);
}

// Appends the new stream; false where a step reaches outside the old one, which has bit_slack after it.
template <BitOrder order>
bool put_together(const Splice& splice, View stream, bool padding, Bytes& made) {
    const std::size_t have = (stream.size() - bit_slack) * 8;
    std::size_t bits = 0;
    for (const Splice::Step& step : splice.steps) {
        if (step.from > have || step.bits > have - step.from) return false;
        bits += step.bits + step.then.count;
        if (bits > 8 * largest_tile) return false;
    }
    BitWriter<order> out(made);
    out.reserve(bits / 8 + 2 * bit_slack);  // and what copy() asks for beyond what it writes
    for (const Splice::Step& step : splice.steps) {
        out.copy(stream.data(), step.from, step.bits);
        out.copy(step.then);
    }
    out.finish(padding);
    return true;
}

std::optional<Bytes> jpeg_from(const Splice& splice, View base) {
    const auto stream = scan_of(splice, base);
    if (!stream) return std::nullopt;
    Bytes scan;
    scan.reserve(stream->size() + 1024);
    if (!put_together<BitOrder::first_is_highest>(splice, *stream, true, scan)) return std::nullopt;
    Bytes tile;
    tile.reserve(splice.head + scan.size() + scan.size() / 64 + 16);
    tile.assign(base.begin(), base.begin() + static_cast<std::ptrdiff_t>(splice.head));
    append_stuffed(tile, scan);
    tile.insert(tile.end(), {0xff, jpeg_eoi});
    return tile;
}

std::optional<Bytes> png_from(const Splice& splice, View base) {
    const auto stream = deflate_of(splice, base);
    if (!stream) return std::nullopt;
    std::size_t most = base.size() + 64;
    for (const Splice::Step& step : splice.steps) most += step.then.bytes.size();
    Bytes tile;
    tile.reserve(std::min(most, largest_tile));
    tile.assign(base.begin(), base.begin() + static_cast<std::ptrdiff_t>(splice.head));
    if (!put_together<BitOrder::first_is_lowest>(splice, *stream, false, tile)) return std::nullopt;
    const std::size_t name = splice.head - zlib_header - 4;
    put_big_endian(tile, splice.adler32);
    const auto length = static_cast<std::uint32_t>(tile.size() - name - 4);
    for (std::size_t i = 0; i < 4; ++i) tile[name - 4 + i] = static_cast<std::uint8_t>(length >> (24 - 8 * i));
    put_big_endian(tile, crc_of(View(tile).subspan(name)));
    tile.insert(tile.end(), png_end.begin(), png_end.end());
    return tile;
}

std::optional<Bytes> tile_from(const Splice& splice, View base) {
    return splice.stream == Splice::Stream::jpeg ? jpeg_from(splice, base) : png_from(splice, base);
}

}  // namespace

bool is_recipe(std::span<const std::uint8_t> bytes) {
    return bytes.size() > magic.size() && std::equal(magic.begin(), magic.end(), bytes.begin());
}

std::optional<Recipe> write_recipe(const Splice& splice, std::span<const std::uint8_t> base) {
    if (splice.steps.size() > most_steps) return std::nullopt;
    auto tile = tile_from(splice, base);
    if (!tile) return std::nullopt;
    Bytes recipe(magic.begin(), magic.end());
    recipe.push_back(static_cast<std::uint8_t>(splice.stream));
    put_big_endian(recipe, crc_of(base));
    put_big_endian(recipe, crc_of(*tile));
    put_big_endian(recipe, splice.adler32);
    put_number(recipe, splice.head);
    put_number(recipe, splice.steps.size());
    std::size_t at = 0;
    for (const Splice::Step& step : splice.steps) {
        if (step.from < at) return std::nullopt;
        put_number(recipe, step.from - at);
        put_number(recipe, step.bits);
        put_number(recipe, step.then.count);
        recipe.insert(recipe.end(), step.then.bytes.begin(), step.then.bytes.end());
        at = step.from + step.bits;
    }
    return Recipe{std::move(recipe), std::move(*tile)};
}

Result<std::vector<std::uint8_t>> follow_recipe(std::span<const std::uint8_t> recipe,
                                                std::span<const std::uint8_t> base) {
    const auto broken = [](const char* what) { return internal_error(std::string("the recipe of a tile: ") + what); };
    if (!is_recipe(recipe)) return broken("there is none");
    Reader reader(recipe.subspan(magic.size()));
    Splice splice;
    const View kind = reader.take(1);
    const std::uint32_t base_crc = reader.be32();
    const std::uint32_t tile_crc = reader.be32();
    splice.adler32 = reader.be32();
    splice.head = reader.number();
    const std::size_t count = reader.number();
    if (!reader.sound() || kind[0] < 1 || kind[0] > 2 || count > most_steps || count > recipe.size() / smallest_step ||
        base.size() > largest_tile) {
        return broken("damaged");
    }
    splice.stream = static_cast<Splice::Stream>(kind[0]);
    if (crc_of(base) != base_crc) return broken("made for another tile");
    std::size_t at = 0;
    for (std::size_t i = 0; i < count; ++i) {
        Splice::Step step;
        step.from = at + reader.number();
        step.bits = reader.number();
        step.then.count = reader.number();
        if (step.from > 8 * base.size() || step.bits > 8 * base.size() || step.then.count > 8 * recipe.size()) {
            return broken("damaged");
        }
        const View then = reader.take((step.then.count + 7) / 8);
        if (!reader.sound()) return broken("damaged");
        step.then.bytes.assign(then.begin(), then.end());
        at = step.from + step.bits;
        splice.steps.push_back(std::move(step));
    }
    if (!reader.at_end()) return broken("damaged");
    auto tile = tile_from(splice, base);
    if (!tile || crc_of(*tile) != tile_crc) return broken("it makes something else");
    return std::move(*tile);
}

}  // namespace tessera::codecs
