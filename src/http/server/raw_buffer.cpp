#include "http/server/raw_buffer.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace tessera::http {
namespace {

constexpr std::size_t largest_bytes = 256 << 10;

}  // namespace

void RawBuffer::make_room(std::size_t free_bytes) {
    const std::size_t rest = size_ - decoded_;
    // One that was filled to the brim grows: its client is fast.
    const bool was_filled = capacity_ > 0 && size_ == capacity_;
    const std::size_t wanted = std::max(rest + free_bytes, was_filled ? std::min(capacity_ * 4, largest_bytes) : 0);
    if (wanted > capacity_) {
        auto grown = std::make_unique_for_overwrite<std::uint8_t[]>(wanted);
        if (rest > 0) std::memcpy(grown.get(), data_.get() + decoded_, rest);
        data_ = std::move(grown);
        capacity_ = wanted;
    } else if (rest > 0 && decoded_ > 0) {
        std::memmove(data_.get(), data_.get() + decoded_, rest);
    }
    size_ = rest;
    decoded_ = 0;
}

void RawBuffer::take_rest_of(RawBuffer& other) {
    const std::size_t rest = other.size_ - other.decoded_;
    const bool was_filled = other.size_ == other.capacity_;
    size_ = decoded_ = 0;
    make_room(was_filled ? std::min(other.capacity_ * 4, largest_bytes) : std::max(rest, other.capacity_));
    if (rest > 0) std::memcpy(data_.get(), other.data_.get() + other.decoded_, rest);
    size_ = rest;
    other.size_ = other.decoded_ = 0;
}

void RawBuffer::append(std::string_view bytes) {
    if (capacity_ - size_ < bytes.size()) make_room(bytes.size());
    std::memcpy(data_.get() + size_, bytes.data(), bytes.size());
    size_ += bytes.size();
}

}  // namespace tessera::http
