#include "engine/wire/frame.hpp"

namespace tessera::engine {

std::array<std::uint8_t, frame_head_bytes> frame_head(std::size_t body_bytes) {
    std::array<std::uint8_t, frame_head_bytes> head{};
    for (std::size_t i = 0; i < head.size(); ++i) head[i] = static_cast<std::uint8_t>(body_bytes >> (8 * i));
    return head;
}

std::size_t frame_body_bytes(std::span<const std::uint8_t, frame_head_bytes> head) {
    std::size_t length = 0;
    for (std::size_t i = 0; i < head.size(); ++i) length |= std::size_t{head[i]} << (8 * i);
    return length;
}

void FrameReader::feed(std::span<const std::uint8_t> bytes) {
    if (taken_ > 0) {
        buffer_.erase(0, taken_);
        taken_ = 0;
    }
    buffer_.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

Result<std::optional<std::string>> FrameReader::next() {
    const std::size_t there = buffer_.size() - taken_;
    if (there < frame_head_bytes) return std::optional<std::string>{};
    const auto* start = reinterpret_cast<const std::uint8_t*>(buffer_.data()) + taken_;
    const std::size_t length =
        frame_body_bytes(std::span<const std::uint8_t, frame_head_bytes>(start, frame_head_bytes));
    if (length > max_bytes_) return internal_error("engine: a frame of " + std::to_string(length) + " bytes");
    if (there < frame_head_bytes + length) return std::optional<std::string>{};
    std::string body = buffer_.substr(taken_ + frame_head_bytes, length);
    taken_ += frame_head_bytes + length;
    return std::optional(std::move(body));
}

}  // namespace tessera::engine
