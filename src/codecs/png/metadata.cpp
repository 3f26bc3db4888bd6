#include "codecs/png/metadata.hpp"

#include <libdeflate.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "core/owned.hpp"

namespace tessera::codecs {
namespace {

using Bytes = std::span<const std::uint8_t>;

constexpr int max_chunks = 20'000;
constexpr std::size_t max_unfolded = std::size_t{8} << 20;  // of all of them; far more than any honest file has
constexpr std::size_t max_folded = std::size_t{8} << 20;

struct Chunk {
    std::int64_t data = 0;  // its offset in the file
    std::size_t length = 0;
    std::array<char, 4> type{};
    [[nodiscard]] bool is(std::string_view name) const { return std::string_view(type.data(), 4) == name; }
};

std::optional<Chunk> chunk_at(int file, std::int64_t offset) {
    std::array<std::uint8_t, 8> head{};
    if (::pread(file, head.data(), head.size(), offset) != 8) return std::nullopt;
    Chunk chunk;
    chunk.data = offset + 8;
    chunk.length = std::size_t{head[0]} << 24 | std::size_t{head[1]} << 16 | std::size_t{head[2]} << 8 | head[3];
    std::memcpy(chunk.type.data(), head.data() + 4, 4);
    return chunk;
}

// Calls `visit(chunk)` for each, until it is false. False where there are too many of them.
template <typename Visit>
bool for_each_chunk_before_pixels(int file, Visit&& visit) {
    std::int64_t offset = 8;  // after the signature
    for (int count = 0; count < max_chunks; ++count) {
        const auto chunk = chunk_at(file, offset);
        if (!chunk || chunk->is("IDAT") || chunk->is("IEND") || !visit(*chunk)) return true;
        offset = chunk->data + static_cast<std::int64_t>(chunk->length) + 4;
    }
    return false;
}

std::optional<std::vector<std::uint8_t>> data_of(int file, const Chunk& chunk) {
    std::vector<std::uint8_t> data(chunk.length);
    const ssize_t got = ::pread(file, data.data(), data.size(), chunk.data);
    if (got != static_cast<ssize_t>(data.size())) return std::nullopt;
    return data;
}

// Each ends in a zero.
std::size_t after_two_texts(Bytes data, std::size_t at) {
    for (int text = 0; text < 2; ++text) {
        while (at < data.size() && data[at] != 0) ++at;
        ++at;
    }
    return at;
}

// Where the compressed part of the chunk starts; nothing where it has none. Each has a keyword that ends in a zero.
std::optional<std::size_t> compressed_part(const Chunk& chunk, Bytes data) {
    std::size_t at = 0;
    while (at < data.size() && data[at] != 0) ++at;
    if (chunk.is("zTXt") || chunk.is("iCCP")) return at + 2;  // the zero and the method
    if (!chunk.is("iTXt") || at + 2 >= data.size() || data[at + 1] == 0) return std::nullopt;
    at += 3;  // the zero, the flag and the method; then the language and the translated keyword
    return after_two_texts(data, at);
}

class Inflater {
  public:
    // What comes out, until the next call. Nothing when that is more than there is room for, over all calls; empty of
    // what is damaged.
    std::optional<Bytes> inflate(Bytes compressed) {
        if (!decompressor_) {
            decompressor_.reset(libdeflate_alloc_decompressor());
            room_ = std::make_unique_for_overwrite<std::uint8_t[]>(max_unfolded);
        }
        std::size_t made = 0;
        const libdeflate_result result = libdeflate_zlib_decompress(
            decompressor_.get(), compressed.data(), compressed.size(), room_.get(), max_unfolded - used_, &made);
        if (result == LIBDEFLATE_INSUFFICIENT_SPACE) return std::nullopt;
        if (result != LIBDEFLATE_SUCCESS) return Bytes();
        used_ += made;
        return Bytes(room_.get(), made);
    }

  private:
    Owned<libdeflate_decompressor, libdeflate_free_decompressor> decompressor_;
    std::unique_ptr<std::uint8_t[]> room_;
    std::size_t used_ = 0;
};

constexpr std::string_view xmp_keyword("XML:com.adobe.xmp\0", 18);

// Where the text of a chunk that is not compressed starts.
std::size_t plain_part(const Chunk& chunk, Bytes data) {
    const std::size_t at = xmp_keyword.size();
    return chunk.is("iTXt") ? after_two_texts(data, at + 2) : at;  // after the flag and the method
}

bool suits(Bytes profile, bool grey) {
    constexpr std::size_t least = 132;  // a header and how many tags there are
    return profile.size() >= least && read_big32(profile, 0) == profile.size() &&
           text_of(profile.subspan(36, 4)) == "acsp" && text_of(profile.subspan(16, 4)) == (grey ? "GRAY" : "RGB ");
}

// Keeps what it meets on the way to the pixels.
class Gathering {
  public:
    explicit Gathering(bool grey) : grey_(grey) {}

    void add(const Chunk& chunk, Bytes data) {
        if (chunk.is("sRGB")) {
            has_colours_ = true;
        } else if (chunk.is("eXIf")) {
            keep(found_.exif, data);
        } else if (chunk.is("iCCP")) {
            const Bytes profile = unfolded(chunk, data);
            if (!has_colours_ && suits(profile, grey_)) keep(found_.icc, profile);
            has_colours_ = true;
        } else if (text_of(data).starts_with(xmp_keyword)) {
            keep(found_.xmp, unfolded(chunk, data));
        }
    }
    [[nodiscard]] GatheredMetadata take() { return std::move(found_); }

  private:
    static void keep(std::vector<std::uint8_t>& place, Bytes data) {
        if (place.empty()) place.assign(data.begin(), data.end());
    }
    Bytes unfolded(const Chunk& chunk, Bytes data) {
        const auto compressed = compressed_part(chunk, data);
        const std::size_t from = compressed.value_or(plain_part(chunk, data));
        if (from >= data.size()) return {};
        return compressed ? inflater_.inflate(data.subspan(from)).value_or(Bytes()) : data.subspan(from);
    }

    bool grey_;
    bool has_colours_ = false;
    Inflater inflater_;
    GatheredMetadata found_;
};

bool is_metadata(const Chunk& chunk) {
    constexpr std::string_view kinds[] = {"sRGB", "iCCP", "eXIf", "tEXt", "zTXt", "iTXt"};
    return chunk.length <= max_folded && std::ranges::any_of(kinds, [&](auto kind) { return chunk.is(kind); });
}

JobError absurd(const char* what) {
    return {JobErrorCode::decode_failed, std::string("the image can't be read: ") + what, {}};
}

}  // namespace

Result<void, JobError> check_png_metadata(int file) {
    Inflater inflater;
    const char* what = nullptr;
    const bool ended = for_each_chunk_before_pixels(file, [&](const Chunk& chunk) {
        if (!chunk.is("zTXt") && !chunk.is("iTXt") && !chunk.is("iCCP")) return true;
        if (chunk.length > max_folded) what = "its metadata is over 8 MiB";
        const auto data = what == nullptr ? data_of(file, chunk) : std::nullopt;
        if (!data) return false;
        const auto from = compressed_part(chunk, *data);
        if (from && *from < data->size() && !inflater.inflate(Bytes(*data).subspan(*from))) {
            what = "its metadata unfolds to more than 8 MiB";
        }
        return what == nullptr;
    });
    if (what != nullptr) return absurd(what);
    if (!ended) return absurd("it has too many chunks");
    return {};
}

GatheredMetadata read_png_metadata(int file) {
    constexpr off_t colour_type_at = 25;
    constexpr std::uint8_t has_colour = 2;
    std::uint8_t colour_type = 0;
    if (::pread(file, &colour_type, 1, colour_type_at) != 1) return {};
    Gathering gathering((colour_type & has_colour) == 0);
    for_each_chunk_before_pixels(file, [&](const Chunk& chunk) {
        if (!is_metadata(chunk)) return true;
        const auto data = data_of(file, chunk);
        if (data) gathering.add(chunk, *data);
        return data.has_value();
    });
    return gathering.take();
}

}  // namespace tessera::codecs
