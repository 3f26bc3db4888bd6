#include "codecs/png/metadata.hpp"

#include <libdeflate.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/owned.hpp"

namespace tessera::codecs {
namespace {

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

// Where the compressed part of the chunk starts; nothing where it has none. Each has a keyword that ends in a zero.
std::optional<std::size_t> compressed_part(const Chunk& chunk, std::span<const std::uint8_t> data) {
    std::size_t at = 0;
    while (at < data.size() && data[at] != 0) ++at;
    if (chunk.is("zTXt") || chunk.is("iCCP")) return at + 2;  // the zero and the method
    if (!chunk.is("iTXt") || at + 2 >= data.size() || data[at + 1] == 0) return std::nullopt;
    at += 3;  // the zero, the flag and the method; then the language and the translated keyword
    for (int text = 0; text < 2; ++text) {
        while (at < data.size() && data[at] != 0) ++at;
        ++at;
    }
    return at;
}

class Inflater {
  public:
    // False when more comes out than there is room for, over all calls.
    bool fits(std::span<const std::uint8_t> compressed) {
        if (!decompressor_) {
            decompressor_.reset(libdeflate_alloc_decompressor());
            room_.resize(max_unfolded);
        }
        std::size_t made = 0;
        const libdeflate_result result = libdeflate_zlib_decompress(
            decompressor_.get(), compressed.data(), compressed.size(), room_.data(), max_unfolded - used_, &made);
        used_ += result == LIBDEFLATE_SUCCESS ? made : 0;
        return result != LIBDEFLATE_INSUFFICIENT_SPACE;  // damaged ones are for the decoder to judge
    }

  private:
    Owned<libdeflate_decompressor, libdeflate_free_decompressor> decompressor_;
    std::vector<std::uint8_t> room_;
    std::size_t used_ = 0;
};

JobError absurd(const char* what) {
    return {JobErrorCode::decode_failed, std::string("the image can't be read: ") + what, {}};
}

}  // namespace

Result<void, JobError> check_png_metadata(int file) {
    Inflater inflater;
    std::int64_t offset = 8;  // after the signature
    for (int count = 0; count < max_chunks; ++count) {
        const auto chunk = chunk_at(file, offset);
        if (!chunk || chunk->is("IDAT") || chunk->is("IEND")) return {};
        if (chunk->is("zTXt") || chunk->is("iTXt") || chunk->is("iCCP")) {
            if (chunk->length > max_folded) return absurd("its metadata is over 8 MiB");
            std::vector<std::uint8_t> data(chunk->length);
            const ssize_t got = ::pread(file, data.data(), data.size(), chunk->data);
            if (got != static_cast<ssize_t>(data.size())) return {};
            const auto from = compressed_part(*chunk, data);
            if (from && *from < data.size() && !inflater.fits(std::span(data).subspan(*from))) {
                return absurd("its metadata unfolds to more than 8 MiB");
            }
        }
        offset = chunk->data + static_cast<std::int64_t>(chunk->length) + 4;
    }
    return absurd("it has too many chunks");
}

}  // namespace tessera::codecs
