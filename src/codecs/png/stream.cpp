#include "codecs/png/stream.hpp"

#include <isa-l/igzip_lib.h>

#include <algorithm>

namespace tessera::codecs {
namespace {

// Encoders like chunks of 8 KiB. Inflating takes up its history anew at each call, so several go into one.
constexpr std::size_t packed_size = std::size_t{256} << 10;

constexpr const char* ends_early = "PNG data ends early";
constexpr const char* wrong_checksum = "a PNG chunk does not agree with its checksum";

}  // namespace

struct PngStream::Inflater {
    inflate_state state;
    bool ended = false;
    [[nodiscard]] bool finished() const { return ended || state.block_state == ISAL_BLOCK_FINISH; }
};

PngStream::PngStream(BufferedFile file, const PngChunk& first)
    : file_(std::move(file)),
      inflater_(std::make_unique<Inflater>()),
      packed_(packed_size),
      checksum_(first.type),
      left_in_chunk_(first.length) {
    isal_inflate_init(&inflater_->state);
    inflater_->state.crc_flag = ISAL_ZLIB;
}

PngStream::~PngStream() = default;

const char* PngStream::next_pixels_chunk() {
    const auto agrees = checksum_.agrees_with_next(file_);
    if (agrees && !*agrees) return wrong_checksum;
    const auto chunk = agrees ? next_chunk(file_) : std::nullopt;
    if (!chunk || chunk->type != idat) {
        at_end_ = true;
        return nullptr;
    }
    checksum_ = ChunkChecksum(idat);
    left_in_chunk_ = chunk->length;
    return nullptr;
}

// The next of the compressed data, as much as fits, or as much as there is: whether all pixels are in it is seen then.
const char* PngStream::gather() {
    std::size_t held = 0;
    while (!at_end_ && held < packed_.size()) {
        if (left_in_chunk_ == 0) {
            if (const char* wrong = next_pixels_chunk()) return wrong;
            continue;
        }
        const std::size_t wanted = std::min<std::size_t>(left_in_chunk_, packed_.size() - held);
        const std::size_t got = file_.read(std::span(packed_).subspan(held, wanted));
        checksum_.add(std::span(packed_).subspan(held, got));
        left_in_chunk_ -= static_cast<std::uint32_t>(got);
        held += got;
        at_end_ = got != wanted;
    }
    inflater_->state.next_in = packed_.data();
    inflater_->state.avail_in = static_cast<std::uint32_t>(held);
    return held == 0 ? ends_early : nullptr;
}

// One step: some input is used up, some is fetched, or some output is made; or something is wrong. What was inflated
// before may still be on its way out when there is no more input. The checksum behind the last pixel is let be, as
// libpng does: those of the chunks vouch for the data.
const char* PngStream::inflate() {
    inflate_state& state = inflater_->state;
    const std::uint32_t input = state.avail_in;
    const std::uint32_t room = state.avail_out;
    const int result = isal_inflate(&state);
    if (result == ISAL_INCORRECT_CHECKSUM) {
        inflater_->ended = true;
        return nullptr;
    }
    if (result < 0 || result == ISAL_NEED_DICT) return "PNG data can't be inflated";
    if (state.avail_in != input || state.avail_out != room || inflater_->finished()) return nullptr;
    return input == 0 ? gather() : "PNG data can't be inflated";
}

const char* PngStream::read(std::span<std::uint8_t> out) {
    inflate_state& state = inflater_->state;
    while (!out.empty()) {
        if (inflater_->finished()) return ends_early;
        const auto room = static_cast<std::uint32_t>(std::min<std::size_t>(out.size(), 1U << 30));
        state.next_out = out.data();
        state.avail_out = room;
        if (const char* wrong = inflate()) return wrong;
        out = out.subspan(room - state.avail_out);
    }
    return nullptr;
}

const char* PngStream::finish() {
    while (!at_end_) {
        if (const char* wrong = gather()) return wrong == ends_early ? nullptr : wrong;
    }
    return nullptr;
}

}  // namespace tessera::codecs
